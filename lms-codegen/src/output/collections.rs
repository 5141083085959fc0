//! The table of collections for `lms-sync`: every list of the service, and the operations that are called for each item
//! of a list.

use std::collections::BTreeSet;

use heck::{ToShoutySnakeCase, ToSnakeCase};
use proc_macro2::TokenStream;
use quote::{format_ident, quote};
use serde_json::Value;

use super::secrets::is_secret;
use crate::{
    ast::{option, render},
    document::{Document, Operation, ParameterLocation, Response},
    error::Error,
    formats::is_id,
    openapi::{FOR_EACH, IDENTIFIED_BY, resolve, text},
};

/// The name of the collection, where it does not follow from the path.
const COLLECTION: &str = "x-collection";

/// The table of collections as formatted Rust, to be compiled as the module `collection::generated` of `lms-sync`.
///
/// `origin` names the document in the notice at the top.
///
/// # Errors
///
/// Fails if an operation has `x-for-each` that names an unknown list, property or path parameter, if two collections have
/// the same name, or if nothing identifies a row.
pub fn collections(document: &Document, origin: &str) -> Result<String, Error> {
    let found: Vec<Found> = document
        .operations()
        .iter()
        .filter(|operation| operation.method == "GET")
        .filter_map(|operation| Found::new(document, operation))
        .collect();
    let mut names = BTreeSet::new();
    for collection in &found {
        collection.check(&mut names)?;
    }
    let tables = found.iter().map(|collection| collection.table(&found));
    let tables = tables.collect::<Result<Vec<_>, Error>>()?;
    let names = found.iter().map(Found::constant);
    let code = quote! {
        use super::{Collection, Column, ColumnKind, ForEach};

        /// All collections, in the order of the document.
        pub(crate) static COLLECTIONS: &[Collection] = &[ #(#tables),* ];

        /// The names of all collections, as constants, so that a misspelt name does not compile.
        pub mod collections {
            #(#names)*
        }
    };
    render(code, origin)
}

/// An operation that is a collection.
struct Found<'a> {
    root: &'a Value,
    operation: &'a Operation,
    name: String,
    description: &'a str,
    /// `true` if a page has the number of all items.
    counted: bool,
    /// The properties of a row that are no secrets.
    properties: Vec<(&'a str, &'a Value)>,
    /// The path parameters of a single object, otherwise what the document says, or `id`.
    key: Vec<&'a str>,
    for_each: &'a [Value],
    /// The operation that returns one row by its key: that of the collection itself if it returns single objects, or the
    /// one with the path of the list and an id after it.
    by_id: Option<&'a Operation>,
}

impl<'a> Found<'a> {
    fn new(document: &'a Document, operation: &'a Operation) -> Option<Self> {
        let root = document.value();
        let schemas = &root["components"]["schemas"];
        let value = &root["paths"][&operation.path]["get"];
        let for_each = value[FOR_EACH].as_array().map_or(&[][..], Vec::as_slice);
        let (item, page) = match &operation.response {
            Response::List {
                item: Some(item),
                page,
                ..
            } => (item, Some(&schemas[page])),
            Response::Object(item) if !for_each.is_empty() => (item, None),
            _ => return None,
        };
        // A list whose parameters have no known values cannot be read completely.
        if for_each.is_empty() && operation.parameters.iter().any(|of| of.required) {
            return None;
        }
        let from_path = operation.path.rsplit('/').next().unwrap_or_default();
        let name = value[COLLECTION].as_str().unwrap_or(from_path);
        let schema = &schemas[item];
        let properties = schema["properties"].as_object().into_iter().flatten();
        let properties = properties.filter(|(name, of)| !is_secret(root, name, of));
        let properties = properties.map(|(name, of)| (&**name, resolve(root, of).unwrap_or(of)));
        let declared = schema[IDENTIFIED_BY].as_array().into_iter().flatten();
        let mut key: Vec<_> = declared.filter_map(Value::as_str).collect();
        if page.is_none() {
            key = operation.parameters_in(ParameterLocation::Path).collect();
        } else if key.is_empty() {
            key.push("id");
        }
        Some(Self {
            by_id: match page {
                None => Some(operation),
                Some(_) if !for_each.is_empty() => None,
                Some(_) => by_id(document, operation, item, &key),
            },
            counted: page.is_some_and(|page| page["properties"].get("number_found").is_some()),
            description: text(&schema["description"]),
            name: name.to_snake_case(),
            properties: properties.collect(),
            root,
            operation,
            key,
            for_each,
        })
    }

    /// Checks the name and the key.
    fn check(&'a self, names: &mut BTreeSet<&'a str>) -> Result<(), Error> {
        let location = |of: &str| format!("paths.{}.get.{of}", self.operation.path);
        if !names.insert(&self.name) {
            return Err(Error::at(
                location(COLLECTION),
                format!(
                    "two collections are called `{}`; give this one another name with `{COLLECTION}`",
                    self.name
                ),
            ));
        }
        match self.key.iter().find(|name| !self.has_property(name)) {
            Some(name) => Err(Error::at(
                location("responses"),
                format!(
                    "the items have no property `{name}`, which would identify them; list the properties that do in their schema, with `{IDENTIFIED_BY}`"
                ),
            )),
            None => Ok(()),
        }
    }

    fn has_property(&self, name: &str) -> bool {
        self.properties
            .iter()
            .any(|(property, _)| *property == name)
    }

    /// The name as a constant.
    fn constant(&self) -> TokenStream {
        let name = &self.name;
        let constant = format_ident!("{}", name.to_shouty_snake_case());
        let docs = format!(" Read by `{}`.", self.operation.method_name());
        quote! {
            #[doc = #docs]
            pub const #constant: &str = #name;
        }
    }

    /// The entry of the table. `all` are all collections.
    fn table(&self, all: &[Self]) -> Result<TokenStream, Error> {
        let Self {
            name,
            description,
            counted,
            key,
            ..
        } = self;
        let operation = self.operation.method_name();
        let path_parameters = self.operation.parameters_in(ParameterLocation::Path);
        let for_each = self.for_each.iter().map(|each| for_each(all, self, each));
        let for_each = for_each.collect::<Result<Vec<_>, Error>>()?;
        let by_id = option(self.by_id.map(Operation::method_name));
        let references = self.references(all);
        let columns = self.properties.iter();
        let columns = columns.map(|(name, schema)| column(name, schema, key.contains(name)));
        let query = || self.operation.parameters_in(ParameterLocation::Query);
        let is_filter =
            |name: &&str| !matches!(*name, "cursor" | "limit" | "order_by" | "order_direction");
        let filters: Vec<_> = query().filter(is_filter).collect();
        let partitions = self.partitions(all, &filters);
        let limit = query().any(|name| name == "limit");
        Ok(quote! {
            Collection {
                name: #name,
                description: #description,
                operation: #operation,
                path_parameters: &[ #(#path_parameters),* ],
                for_each: &[ #(#for_each),* ],
                key: &[ #(#key),* ],
                by_id: #by_id,
                references: &[ #(#references),* ],
                columns: &[ #(#columns,)* Column::EXTRA ],
                filters: &[ #(#filters),* ],
                partitions: &[ #(#partitions),* ],
                limit: #limit,
                counted: #counted,
            }
        })
    }

    /// The columns with the id of an item of another list that can be requested by it.
    fn references(&self, all: &[Self]) -> Vec<TokenStream> {
        let references = self.properties.iter().filter_map(|(name, schema)| {
            let of = schema["format"].as_str().filter(|format| is_id(format))?;
            let mut others = all.iter().filter(|other| other.by_id.is_some());
            let other = others.find(|other| {
                let mut keys = other.properties.iter();
                other.key == ["id"]
                    && keys.any(|(key, schema)| *key == "id" && schema["format"] == of)
            })?;
            let list = &other.name;
            (other.name != self.name).then(|| quote!((#name, #list)))
        });
        references.collect()
    }

    /// The lists whose items partition this one.
    fn partitions(&self, all: &[Self], filters: &[&str]) -> Vec<TokenStream> {
        // Without a count, a partition that misses rows could not be told from one that does not.
        if !self.counted || !self.for_each.is_empty() {
            return Vec::new();
        }
        let filters = filters.iter().filter(|name| self.has_property(name));
        let partitions = filters.filter_map(|name| {
            let list = format!("{name}s");
            let other = all.iter().find(|other| other.name == list)?;
            other
                .has_property("id")
                .then(|| quote!(ForEach { collection: #list, values: &[(#name, "id")] }))
        });
        partitions.collect()
    }
}

/// The operation that returns an item of a list by its key.
fn by_id<'a>(
    document: &'a Document,
    list: &Operation,
    item: &str,
    key: &[&str],
) -> Option<&'a Operation> {
    document.operations().iter().find(|operation| {
        let id = operation.path.strip_prefix(&list.path);
        let id = id.and_then(|path| path.strip_prefix("/{")?.strip_suffix('}'));
        let mut parameters = operation.parameters.iter();
        id.is_some_and(|id| key == [id])
            && operation.method == "GET"
            && operation.response == Response::Object(item.to_owned())
            && parameters.all(|parameter| parameter.location == ParameterLocation::Path)
    })
}

/// The column of a property, and its twin in UTC if it is a timestamp.
fn column(name: &str, schema: &Value, is_key: bool) -> TokenStream {
    let description = text(&schema["description"]);
    let kind = kind(schema);
    let one = |name: &str, kind: &str, description: &str, nullable: bool| {
        let kind = format_ident!("{kind}");
        quote! {
            Column { name: #name, kind: ColumnKind::#kind, nullable: #nullable, description: #description }
        }
    };
    let column = one(name, kind, description, !is_key);
    if kind != "Timestamp" {
        return column;
    }
    let about = format!("`{name}` in UTC; null when it has no zone or is not a timestamp.");
    let twin = one(&format!("{name}_utc"), "Utc", &about, true);
    quote!(#column, #twin)
}

fn kind(schema: &Value) -> &'static str {
    match (schema["type"].as_str(), schema["format"].as_str()) {
        (Some("string"), Some("date-time" | "timestamp")) => "Timestamp",
        (_, Some("int64")) | (Some("integer"), _) => "Integer",
        (Some("string"), _) => "Text",
        (Some("boolean"), _) => "Boolean",
        (Some("number"), _) => "Float",
        _ => "Json",
    }
}

fn for_each(all: &[Found], of: &Found, each: &Value) -> Result<TokenStream, Error> {
    let refuse = |what: &str| {
        Error::at(
            format!("paths.{}.get.{FOR_EACH}", of.operation.path),
            format!(
                "{what}; name an operation that returns a list, and path parameters with properties of its items"
            ),
        )
    };
    let list = text(&each["list"]);
    let parent = all
        .iter()
        .find(|parent| parent.operation.id == list && parent.for_each.is_empty())
        .ok_or_else(|| refuse(&format!("`{list}` is not a list")))?;
    let collection = &parent.name;
    let values = each["values"].as_object().into_iter().flatten();
    let values = values
        .map(|(parameter, property)| {
            let property = text(property);
            if !parent.has_property(property) {
                return Err(refuse(&format!("`{property}` is not a property of {list}")));
            }
            let mut parameters = of.operation.parameters.iter();
            if !parameters.any(|known| {
                known.name == *parameter
                    && known.location == ParameterLocation::Path
                    && resolve(of.root, &known.schema).is_some_and(|of| of["type"] == "string")
            }) {
                return Err(refuse(&format!(
                    "`{parameter}` is not a path parameter with text"
                )));
            }
            Ok(quote!((#parameter, #property)))
        })
        .collect::<Result<Vec<_>, Error>>()?;
    Ok(quote!(ForEach { collection: #collection, values: &[ #(#values),* ] }))
}
