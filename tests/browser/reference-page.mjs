// Tests of the reference page in headless Chromium; run by `tests/browser/run`.
//
// Each test opens a new page. All requests of the browser are recorded, and host names are not resolved, so that no
// request leaves loopback.

import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { mkdtempSync, rmSync } from "node:fs";
import { createRequire } from "node:module";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { createInterface } from "node:readline";

const [folder, program] = process.argv.slice(2);
const { chromium } = createRequire(join(folder, "package.json"))("playwright-core");

const TIMEOUT_MS = 15_000;
/** The URLs of all requests. */
const requested = [];

/** Starts a sandbox on a free port; resolves when it can be connected to. */
async function serve(...options) {
  const child = spawn(program, ["serve", "--listen", "127.0.0.1:0", "--demo", ...options], {
    stdio: ["ignore", "pipe", "ignore"],
  });
  for await (const line of createInterface({ input: child.stdout })) {
    const address = line.match(/^listening on (\S+)$/)?.[1];
    if (address) {
      // Discards further output, which would fill the pipe.
      child.stdout.resume();
      return { address, stop: () => child.kill("SIGTERM") };
    }
  }
  throw new Error("the sandbox exited before it listened");
}

async function open(context, address) {
  const page = await context.newPage();
  page.setDefaultTimeout(TIMEOUT_MS);
  const problems = [];
  page.on("request", (request) => requested.push(request.url()));
  page.on("console", (message) => message.type() === "error" && problems.push(message.text()));
  page.on("pageerror", (error) => problems.push(String(error)));
  await page.goto(address);
  await page.waitForSelector(".opblock");
  return { page, problems };
}

const hasToken = (page) => page.waitForSelector('#token-state[data-state="good"]');

/** Opens an operation, sends it unchanged, and returns status and body. */
async function tryIt(page, operation) {
  const block = page.locator(".opblock", {
    has: page.locator(".opblock-summary-operation-id", { hasText: new RegExp(`^${operation}$`) }),
  });
  await block.locator(".opblock-summary-control").click();
  await block.locator("button.execute").click();
  const row = block.locator(".live-responses-table .response").first();
  await row.waitFor();
  const status = parseInt(await row.locator(".response-col_status").innerText(), 10);
  return { block, status, text: await row.locator(".response-col_description").innerText() };
}

const tests = {
  async "the page lists all 32 operations without errors"({ context, demo }) {
    const { page, problems } = await open(context, demo.address);
    await hasToken(page);
    const ids = await page.locator(".opblock-summary-operation-id").allInnerTexts();
    assert.equal(new Set(ids).size, 32);
    const response = await page.request.get(`${demo.address}/openapi.json`);
    const paths = Object.values((await response.json()).paths);
    const expected = paths.flatMap((path) => Object.values(path).map((operation) => operation?.operationId));
    assert.deepEqual([...ids].sort(), expected.filter(Boolean).sort());
    assert.deepEqual(problems, []);
    await page.screenshot({ path: join(folder, "light.png") });
  },

  async "a token is obtained with the demo credentials, and a list call shows rows"({ context, demo }) {
    const { page, problems } = await open(context, demo.address);
    await hasToken(page);
    assert.match(await page.innerText("#token-state"), /^Token good for \d:\d\d$/);
    const { block, status, text } = await tryIt(page, "listLearners");
    assert.equal(status, 200);
    assert.match(text, /"number_found": "650"/);
    assert.match(text, /"email": "[^"]+@[^"]+"/);
    assert.deepEqual(problems, []);
    await block.scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(folder, "list.png") });
  },

  async "a learner added from the page is found"({ context, demo }) {
    const { page } = await open(context, demo.address);
    await hasToken(page);
    const block = page.locator("#operations-Learners-addLearner");
    await block.locator(".opblock-summary-control").click();
    const email = "from.the.page@acme.example";
    await block.locator("textarea.body-param__text").fill(
      JSON.stringify({ firstname: "Jo", surname: "Bell", email, generate_password: true }),
    );
    await block.locator("button.execute").click();
    await block.locator(".live-responses-table .response").first().waitFor();
    const found = page.locator("#operations-Learners-getLearnerByEmail");
    await found.locator(".opblock-summary-control").click();
    await found.locator("tr[data-param-name=email] input").fill(email);
    await found.locator("button.execute").click();
    const row = found.locator(".live-responses-table .response").first();
    await row.waitFor();
    assert.match(await row.innerText(), /^200[^]*"surname": "Bell"/);
  },

  async "a discarded token is not sent, and another can be requested"({ context, demo }) {
    const { page } = await open(context, demo.address);
    await hasToken(page);
    await page.click("#drop-token");
    assert.equal(await page.getAttribute("#token-state", "data-state"), "none");
    assert.equal((await tryIt(page, "listCourses")).status, 401);
    await page.click("#get-token");
    await hasToken(page);
    assert.equal((await tryIt(page, "listTags")).status, 200);
  },

  async "a token that is about to expire is replaced before the next request"({ context }) {
    const shortLived = await serve("--token-lifetime", "1s");
    try {
      const { page } = await open(context, shortLived.address);
      await hasToken(page);
      const tokens = () => requested.filter((url) => url === `${shortLived.address}/api/v1/oauth/token`).length;
      const before = tokens();
      assert.equal((await tryIt(page, "listTopics")).status, 200);
      assert.equal(tokens(), before + 1);
    } finally {
      shortLived.stop();
    }
  },

  async "custom credentials are not on the page, and work when entered"({ context }) {
    const own = await serve("--client-id", "acme", "--client-secret", "own-secret");
    try {
      const { page } = await open(context, own.address);
      assert.equal(await page.inputValue("#client-id"), "");
      assert.equal(await page.inputValue("#client-secret"), "");
      assert.ok(!(await page.content()).includes("own-secret"));
      await page.fill("#client-id", "acme");
      await page.fill("#client-secret", "wrong");
      await page.click("#get-token");
      await page.waitForSelector('#token-state[data-state="bad"]');
      assert.match(await page.innerText("#token-state"), /^No token: 401/);
      await page.fill("#client-secret", "own-secret");
      await page.click("#get-token");
      await hasToken(page);
      assert.equal((await tryIt(page, "me")).status, 200);
    } finally {
      own.stop();
    }
  },

  async "the page uses the dark color scheme of the system"({ browser, demo }) {
    const context = await browser.newContext({ colorScheme: "dark", viewport: { width: 1280, height: 900 } });
    const { page } = await open(context, demo.address);
    await hasToken(page);
    const brightness = await page.evaluate(() => {
      const [r, g, b] = getComputedStyle(document.body).backgroundColor.match(/\d+/g).map(Number);
      return (r + g + b) / 3;
    });
    assert.ok(brightness < 64, `background brightness ${brightness}`);
    await tryIt(page, "listTags");
    await page.evaluate(() => window.scrollTo(0, 0));
    await page.screenshot({ path: join(folder, "dark.png") });
    await page.locator("#operations-Tags-listTags, [id$=listTags]").first().scrollIntoViewIfNeeded();
    await page.screenshot({ path: join(folder, "dark-open.png") });
    await context.close();
  },

  // The last test, which checks the requests of all others.
  async "no request left loopback"({ demo }) {
    const hosts = new Set(
      requested.map((url) => new URL(url)).filter((url) => url.protocol !== "data:").map((url) => url.hostname),
    );
    assert.deepEqual([...hosts], ["127.0.0.1"]);
    assert.ok(requested.includes(`${demo.address}/api/v1/learners`), "the list call was seen");
  },
};

const profile = mkdtempSync(join(tmpdir(), "reference-page-"));
const demo = await serve();
let [passed, failed] = [0, 0];
try {
  const browser = await chromium.launch({
    executablePath: process.env.CHROMIUM,
    env: { ...process.env, HOME: profile },
    args: [
      "--headless",
      "--no-sandbox",
      "--disable-gpu",
      "--disable-quic",
      "--no-first-run",
      "--disable-background-networking",
      "--disable-component-update",
      "--disable-sync",
      "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1",
    ],
  });
  for (const [name, test] of Object.entries(tests)) {
    const context = await browser.newContext({ colorScheme: "light", viewport: { width: 1280, height: 900 } });
    try {
      await test({ browser, context, demo });
      passed += 1;
      console.log(`ok    ${name}`);
    } catch (error) {
      failed += 1;
      console.log(`FAIL  ${name}\n      ${String(error.stack ?? error).replaceAll("\n", "\n      ")}`);
    }
    await context.close();
  }
  await browser.close();
} finally {
  demo.stop();
  rmSync(profile, { recursive: true, force: true });
}
console.log(`${passed} passed, ${failed} failed`);
process.exitCode = failed === 0 ? 0 : 1;
