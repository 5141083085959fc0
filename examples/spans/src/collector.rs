//! A small OpenTelemetry collector, which prints the spans that it receives as OTLP over HTTP.

use std::{
    io::{self, BufRead, BufReader, Read, Write},
    net::{SocketAddr, TcpListener, TcpStream},
    sync::{Arc, Mutex, PoisonError},
    thread,
};

use serde_json::Value;

/// The names of the spans that were received.
pub(crate) type Names = Arc<Mutex<Vec<String>>>;

/// Listens on a free port of this machine for as long as the program runs.
pub(crate) fn start() -> io::Result<(SocketAddr, Names)> {
    let listener = TcpListener::bind("127.0.0.1:0")?;
    let address = listener.local_addr()?;
    let names = Names::default();
    let received = Arc::clone(&names);
    thread::spawn(move || {
        for stream in listener.incoming().flatten() {
            let received = Arc::clone(&received);
            thread::spawn(move || serve(stream, &received));
        }
    });
    Ok((address, names))
}

/// Handles requests until the exporter disconnects.
fn serve(mut stream: TcpStream, received: &Names) -> io::Result<()> {
    let mut reader = BufReader::new(stream.try_clone()?);
    loop {
        let mut length = 0;
        loop {
            let mut line = String::new();
            if reader.read_line(&mut line)? == 0 {
                return Ok(());
            }
            match line.to_ascii_lowercase().split_once(':') {
                Some(("content-length", value)) => length = value.trim().parse().unwrap_or(0),
                None if line.trim().is_empty() => break,
                _ => {}
            }
        }
        let mut body = vec![0; length];
        reader.read_exact(&mut body)?;
        show(&serde_json::from_slice(&body)?, received)?;
        stream.write_all(
            b"HTTP/1.1 200 OK\r\ncontent-type: application/json\r\ncontent-length: 2\r\n\r\n{}",
        )?;
    }
}

/// Prints each span with its attributes, in the order in which they ended.
fn show(export: &Value, received: &Names) -> io::Result<()> {
    let mut out = io::stdout().lock();
    for resource in list(&export["resourceSpans"]) {
        for scope in list(&resource["scopeSpans"]) {
            for span in list(&scope["spans"]) {
                let name = text(&span["name"]);
                writeln!(out, "{name}  ({})", took(span))?;
                let mut received = received.lock().unwrap_or_else(PoisonError::into_inner);
                received.push(name.to_owned());
                for attribute in list(&span["attributes"]) {
                    let key = text(&attribute["key"]);
                    let ours = ["http.", "url.", "server.", "error.", "lms."];
                    if ours.iter().any(|prefix| key.starts_with(prefix)) {
                        writeln!(out, "    {key} = {}", value(&attribute["value"]))?;
                    }
                }
                for event in list(&span["events"]) {
                    writeln!(out, "    · {}", text(&event["name"]))?;
                }
            }
        }
    }
    Ok(())
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map_or(&[], Vec::as_slice)
}

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

/// An attribute's value, which OTLP wraps in the name of its type.
fn value(wrapped: &Value) -> String {
    let inner = wrapped
        .as_object()
        .and_then(|object| object.values().next());
    inner.map_or_else(String::new, |inner| match inner {
        Value::String(text) => text.clone(),
        other => other.to_string(),
    })
}

fn took(span: &Value) -> String {
    let nanos = |name| text(&span[name]).parse::<u128>().unwrap_or(0);
    let micros = (nanos("endTimeUnixNano").saturating_sub(nanos("startTimeUnixNano"))) / 1000;
    format!("{micros} µs")
}
