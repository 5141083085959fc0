// The script of the reference page: it gets tokens, and starts Swagger UI.
"use strict";

(() => {
  const TOKEN_ADDRESS = "/api/v1/oauth/token";
  const SCHEME = "oauth2";
  // A token this close to its end is replaced before a request is sent with it.
  const MARGIN_MS = 5000;

  const element = (id) => document.getElementById(id);
  const [form, idField, secretField] = [element("credentials"), element("client-id"), element("client-secret")];
  const [getButton, dropButton, shown] = [element("get-token"), element("drop-token"), element("token-state")];

  let ui = null;
  let token = null; // { value, until }; `until` is null when nobody said how long it is good

  function show(state, text) {
    shown.dataset.state = state;
    shown.textContent = text;
    dropButton.hidden = token === null;
    getButton.textContent = token === null ? "Get a token" : "Get another";
  }

  function showToken() {
    if (token === null) {
      show("none", "No token: try it answers 401.");
    } else if (token.until === null) {
      show("good", "There is a token.");
    } else {
      const left = Math.max(0, Math.round((token.until - Date.now()) / 1000));
      const clock = `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
      show("good", left > 0 ? `Token good for ${clock}` : "Token replaced at the next request");
    }
  }

  // Swagger UI draws its padlocks by what it holds itself.
  function tellViewer() {
    if (ui === null) return;
    if (token === null) {
      ui.authActions.logout([SCHEME]);
    } else {
      const schema = ui.specSelectors.securityDefinitions().get(SCHEME);
      if (!schema) return;
      ui.authActions.authorizeOauth2({
        auth: { name: SCHEME, schema },
        token: { access_token: token.value, token_type: "Bearer" },
      });
    }
  }

  function drop() {
    token = null;
    tellViewer();
    showToken();
  }

  async function getToken() {
    getButton.disabled = true;
    show("none", "Getting a token …");
    try {
      const answer = await fetch(TOKEN_ADDRESS, {
        method: "POST",
        headers: { "Content-Type": "application/json" },
        body: JSON.stringify({
          grant_type: "client_credentials",
          client_id: idField.value,
          client_secret: secretField.value,
        }),
      });
      const body = await answer.json().catch(() => null);
      if (!answer.ok || !body || typeof body.access_token !== "string") {
        const said = body && body.error && body.error.message;
        throw new Error(`${answer.status}${said ? `: ${said}` : " instead of a token"}`);
      }
      // A number, or text: the service description has both.
      const seconds = Number(body.expires_in);
      token = {
        value: body.access_token,
        until: Number.isFinite(seconds) ? Date.now() + seconds * 1000 : null,
      };
      tellViewer();
      showToken();
    } catch (error) {
      token = null;
      tellViewer();
      show("bad", `No token: ${error.message}`);
    } finally {
      getButton.disabled = false;
    }
  }

  async function withToken(request) {
    if (request.loadSpec || token === null) return request;
    if (token.until !== null && token.until - Date.now() < MARGIN_MS) await getToken();
    if (token !== null && request.headers.Authorization) {
      request.headers.Authorization = `Bearer ${token.value}`;
    }
    return request;
  }

  function watch(response) {
    if (response.status === 401 && token !== null && !String(response.url).endsWith(TOKEN_ADDRESS)) {
      show("bad", "The sandbox refused the token: get another.");
    }
    return response;
  }

  // Padlocks lead to the bar: the viewer's own dialogue asks for a token with a form, which the service refuses.
  const padlocks = () => ({
    wrapComponents: {
      authorizeOperationBtn: (Original, system) => (properties) =>
        system.React.createElement(Original, {
          ...properties,
          onClick: () => (token === null ? getButton : dropButton).focus(),
        }),
    },
  });

  const dark = window.matchMedia("(prefers-color-scheme: dark)");
  const paint = () => document.documentElement.classList.toggle("dark-mode", dark.matches);
  dark.addEventListener("change", paint);
  paint();

  element("address").textContent = window.location.origin;
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    getToken();
  });
  dropButton.addEventListener("click", drop);
  setInterval(() => shown.dataset.state === "good" && showToken(), 1000);

  ui = SwaggerUIBundle({
    url: "openapi.json",
    dom_id: "#reference",
    layout: "BaseLayout",
    presets: [SwaggerUIBundle.presets.apis],
    plugins: [padlocks],
    validatorUrl: null,
    deepLinking: true,
    displayOperationId: true,
    displayRequestDuration: true,
    defaultModelsExpandDepth: 0,
    filter: true,
    tryItOutEnabled: true,
    requestInterceptor: withToken,
    responseInterceptor: watch,
    onComplete: () => {
      if (idField.value && secretField.value) getToken();
    },
  });
})();
