use super::*;
use crate::send::auth::bearer_header;
use percent_encoding::{NON_ALPHANUMERIC, utf8_percent_encode};
use proptest::prelude::*;
use reqwest::{Method, Url};

fn secrets(body: &str, token: Option<&str>) -> RequestSecrets {
    let url = Url::parse("https://acme.example").unwrap();
    let mut request = Request::new(Method::POST, url);
    *request.body_mut() = Some(body.to_owned().into());
    let bearer = token.map(|token| bearer_header(&Secret::from(token)).unwrap());
    RequestSecrets::in_request(&request, bearer.as_ref(), &[], None)
}

#[test]
fn a_text_with_a_secret_of_the_request_is_hidden_and_any_other_is_shown() {
    let nested = r#"[{"a":[{"client_secret":"s1","code":"c1"}]}]"#;
    for (body, token, text, name) in [
        (nested, Some("t1"), "you sent s1", Some("client_secret")),
        (nested, Some("t1"), "(c1)", Some("code")),
        (r#"{"code":["c1",{"a":"c2"}]}"#, None, "c2", Some("code")),
        (nested, Some("t1"), "T1", Some("token")),
        (nested, Some("t1"), "as it is", None),
        (r#"{"password":""}"#, None, "as it is", None),
        (r#"{"email":"a@b.example"}"#, None, "a@b.example", None),
        (r#"{"password":null}"#, None, "null", None),
        ("not JSON", None, "not JSON", None),
    ] {
        let expected = name.map_or(text.to_owned(), |name| format!("<hidden: {name}>"));
        assert_eq!(
            secrets(body, token).redact(text),
            expected,
            "{body}: {text}"
        );
    }
}

#[test]
fn an_escaped_or_encoded_secret_is_found() {
    const SECRET: &str = "p/A&s\"s'ü<\\ 😀\n";
    let body = serde_json::json!({ "password": SECRET }).to_string();
    let secrets = secrets(&body, None);
    for text in [
        SECRET,
        r#"p\/A\u0026s\"s'\u00fc<\\ \ud83d\ude00\n"#,
        r#"\u0070/\u0041\u0026s\"s\u0027\u00FC\u003c\\ \uD83D\uDE00\u000A"#,
        "p%2fA%26s%22s%27%C3%BC%3C%5C%20%F0%9F%98%80%0A",
        "p%2FA&s%22s'%c3%bc%3c%5c%20%F0%9F%98%80%0a",
        "p%2FA%26s%22s%27%C3%BC%3C%5C+%F0%9F%98%80%0A",
        "p/A&amp;s&quot;s&#39;ü&lt;\\ 😀\n",
        "p/A&amp;s&#34;s&#x27;&uuml;&LT;&#92;&nbsp;&#x1F600;&#010;",
        "p/A&#x26;s&quot;s&apos;&Uuml;&lt;&bsol; &#128512;&NewLine;",
        r#"p/A\u0026amp;s&quot;s&#39;\u00fc&lt;\\ 😀\n"#,
    ] {
        assert!(secrets.is_in(&format!("é\\x % {text}!")), "{text}");
    }
    for text in [
        "",
        r"\",
        r"\u",
        r"\u12",
        "%",
        "%2",
        "&",
        "&;",
        "&#;",
        "&#x;",
        "p/A&s",
        "&amp;amp;",
    ] {
        assert!(!secrets.is_in(text), "{text}");
    }
}

/// Writes all characters except ASCII letters and digits in another way.
fn encode(text: &str, write: impl Fn(char) -> String) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric().then(|| c.to_string());
    text.chars()
        .map(|c| plain(c).unwrap_or_else(|| write(c)))
        .collect()
}

/// The ways in which programs write a text into JSON, HTML, a URL or a form.
const ENCODERS: [fn(&str) -> String; 6] = [
    |text| {
        let json = serde_json::to_string(text).unwrap();
        json[1..json.len() - 1].to_owned()
    },
    |text| {
        encode(text, |c| {
            let units = c.encode_utf16(&mut [0; 2]).to_vec();
            units.iter().map(|unit| format!("\\u{unit:04X}")).collect()
        })
    },
    |text| {
        let amp = text.replace('&', "&amp;").replace('<', "&lt;");
        amp.replace('"', "&quot;").replace('\'', "&#039;")
    },
    |text| encode(text, |c| format!("&#x{:X};", u32::from(c))),
    |text| utf8_percent_encode(text, NON_ALPHANUMERIC).to_string(),
    |text| {
        let mut url = Url::parse("https://acme.example").unwrap();
        url.query_pairs_mut().append_key_only(text);
        url.query().unwrap().to_owned()
    },
];

proptest! {
    #[test]
    fn a_secret_is_found_in_any_three_encodings(
        secret in r#"[ -~üÉ😀\n]{1,12}"#,
        layers in prop::collection::vec(0..ENCODERS.len(), 0..=DEPTH),
    ) {
        let body = serde_json::json!({ "password": secret }).to_string();
        let encoded = layers.iter().fold(secret.clone(), |text, layer| ENCODERS[*layer](&text));
        prop_assert!(secrets(&body, None).is_in(&format!("you sent: {encoded} !")), "{encoded}");
    }
}

#[test]
fn a_header_that_contains_a_secret_is_not_shown() {
    let headers = [
        ("x-said", "you sent t0ken"),
        ("x-t0ken-seen", "1"),
        ("location", "/elsewhere"),
        ("x-short", "t0k"),
        ("x-escaped", "a%20word"),
    ];
    let mut headers: HeaderMap = headers
        .iter()
        .map(|(name, value)| (name.parse().unwrap(), value.parse().unwrap()))
        .collect();
    secrets("{}", Some("t0ken")).redact_headers(&mut headers);
    let shown = format!("{headers:?}");
    assert!(
        !shown.contains("t0ken") && !shown.contains("elsewhere"),
        "{shown}"
    );
    assert!(
        shown.contains("t0k") && shown.contains("a%20word"),
        "{shown}"
    );
    assert_eq!(headers.len(), 4);
}
