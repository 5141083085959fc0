# An image with the static program, trusted certificates and nothing else:
#
#     docker build --tag lms .
#     docker run --rm lms --sandbox learners list
#
# docs/guide/command-line.md says what else a command may need.
FROM rust:1.95-trixie AS build
WORKDIR /source
COPY . .
RUN cargo install --locked --path lms-cli --config .cargo/static.toml --root /built

FROM scratch
COPY --from=build /built/bin/lms /lms
# Of Debian's package ca-certificates, which the image of Rust contains.
COPY --from=build /etc/ssl/certs/ca-certificates.crt /etc/ssl/certs/ca-certificates.crt
USER 65534:65534
ENTRYPOINT ["/lms"]
