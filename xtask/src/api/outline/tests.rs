use super::of;

/// What the outline says of some lines of the crate `lms_x`.
fn outline(lines: &str) -> String {
    of(&format!("pub mod lms_x\n{lines}"))
        .strip_prefix("mod lms_x\n")
        .unwrap()
        .to_owned()
}

#[test]
fn a_type_is_a_line_with_its_members_and_traits_below() {
    assert_eq!(
        outline(
            "\
#[non_exhaustive] pub enum lms_x::Kind
pub lms_x::Kind::Big
pub lms_x::Kind::Small(alloc::string::String)
impl lms_x::Kind
pub const fn lms_x::Kind::name(self) -> &'static str
pub async fn lms_x::Kind::of(&reqwest::async_impl::request::Request) -> core::result::Result<core::option::Option<lms_x::Kind>, std::io::error::Error>
impl core::fmt::Debug for lms_x::Kind
pub fn lms_x::Kind::fmt(&self, &mut core::fmt::Formatter<'_>) -> core::fmt::Result
impl core::clone::Clone for lms_x::Kind
pub fn lms_x::Kind::clone(&self) -> lms_x::Kind
pub fn lms_x::free(lms_x::Kind)
"
        ),
        "\
non_exhaustive enum Kind
    Big
    Small(String)
    const fn name(self) -> &'static str
    async fn of(&reqwest::Request) -> Result<Option<Kind>, error::Error>
    impl Clone, Debug
fn free(Kind)
"
    );
}

#[test]
fn where_a_method_is_written_makes_no_difference() {
    let one = "pub struct lms_x::Lms\nimpl lms_x::Lms\npub async fn lms_x::Lms::a(&self)\npub fn lms_x::Lms::b(&self)\n";
    let other = "pub struct lms_x::Lms\nimpl lms_x::Lms\npub fn lms_x::Lms::b(&self)\nimpl lms_x::Lms\npub async fn lms_x::Lms::a(&self)\n";
    assert_eq!(outline(one), outline(other));
}

#[test]
fn of_what_the_compiler_implements_only_its_absence_is_told() {
    assert_eq!(
        outline(
            "\
pub struct lms_x::Walk<T>(_)
impl<T> core::marker::Send for lms_x::Walk<T> where T: core::marker::Send
impl<T> !core::marker::Sync for lms_x::Walk<T>
impl<T> core::marker::Unpin for lms_x::Walk<T>
impl<T> !core::panic::unwind_safe::UnwindSafe for lms_x::Walk<T>
"
        ),
        "struct Walk<T>(_)\n    not Sync\n"
    );
}

#[test]
fn a_trait_names_who_implements_it_and_with_what() {
    assert_eq!(
        outline(
            "\
pub trait lms_x::Operation: core::marker::Send
pub type lms_x::Operation::Output
pub fn lms_x::Operation::run(self) -> Self::Output
impl lms_x::Operation for lms_client::generated::builder::Me<'_>
pub type lms_client::generated::builder::Me<'_>::Output = lms_client::generated::types::MeResponse
pub fn lms_client::generated::builder::Me<'_>::run(self) -> Self::Output
impl<O: lms_x::List> lms_x::Operation for O
pub type O::Output = <O as lms_x::List>::Page
pub fn O::run(self) -> Self::Output
"
        ),
        "\
trait Operation: Send
    type Output
    fn run(self) -> Self::Output
    impl for builder::Me<'_> with Output = types::MeResponse
    impl for O with Output = <O as List>::Page
"
    );
}

#[test]
fn what_is_described_elsewhere_or_repeats_the_fields_is_left_out() {
    assert_eq!(
        outline(
            "\
pub mod lms_x::prelude
pub struct lms_x::prelude::Lms
impl lms_x::Lms
pub fn lms_x::Lms::new() -> Self
pub mod lms_x::types
pub mod lms_x::types::builder
pub struct lms_x::types::builder::Tag
impl lms_x::types::builder::Tag
pub fn lms_x::types::builder::Tag::name<T>(self, T) -> Self
pub struct lms_x::types::Tag
pub lms_x::types::Tag::name: alloc::string::String
impl core::convert::From<lms_x::types::Tag> for lms_x::types::builder::Tag
pub fn lms_x::types::builder::Tag::from(lms_x::types::Tag) -> Self
pub struct lms_x::Lms
impl lms_x::Lms
pub fn lms_x::Lms::new() -> Self
"
        ),
        "\
mod prelude
struct prelude::Lms
mod types
mod types::builder
struct types::Tag
    name: String
struct Lms
    fn new() -> Self
"
    );
}

#[test]
fn every_change_of_a_signature_changes_the_outline() {
    let lines = |arguments: &str| {
        format!(
            "pub struct lms_x::builder::Get<'a>\nimpl<'a> lms_x::builder::Get<'a>\npub fn lms_x::builder::Get<'a>::id{arguments}\n"
        )
    };
    let signatures = [
        "<V>(self, V) -> Self where V: core::convert::TryInto<alloc::string::String>",
        "<V>(self, V) -> Self where V: core::convert::TryInto<lms_x::Int64>",
        "<V>(&self, V) -> Self where V: core::convert::TryInto<alloc::string::String>",
        "(self, alloc::string::String) -> Self",
        "(self, core::option::Option<alloc::string::String>) -> Self",
        "(self, alloc::string::String) -> core::result::Result<Self, lms_x::Error>",
    ];
    let mut seen: Vec<_> = signatures
        .map(|arguments| outline(&lines(arguments)))
        .into();
    assert_eq!(
        seen[0],
        "struct builder::Get<'a>\n    fn id(self, impl TryInto<String>) -> Self\n"
    );
    seen.sort();
    seen.dedup();
    assert_eq!(seen.len(), signatures.len());
}
