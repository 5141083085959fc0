//! The Rust types of a document, which typify makes of its schemas.

use std::{
    collections::BTreeMap,
    panic::{AssertUnwindSafe, catch_unwind},
};

use proc_macro2::TokenStream;
use quote::quote;
use schemars::schema::Schema;
use serde_json::{Map, Value};
use syn::Item;
use typify::{Type, TypeDetails, TypeId, TypeSpace, TypeSpaceSettings};

use crate::{
    document::{Document, Operation, ParameterLocation},
    error::Error,
    formats::convert,
    json_schema::{identity_schema, json_schema},
    locate::locate,
};

/// The types of a document, and which of them its operations send and return.
pub(crate) struct Types {
    space: TypeSpace,
    /// In the order of the document.
    operations: Vec<OperationTypes>,
}

/// The types of an operation.
pub(crate) struct OperationTypes {
    /// The types of the parameters, in the order of the document.
    pub(crate) parameters: Vec<TypeId>,
    pub(crate) body: Option<TypeId>,
    /// The type of a successful response.
    pub(crate) output: Option<TypeId>,
}

/// A value that a field, a parameter or an argument holds.
pub(crate) struct Slot {
    /// The type of the value, or of an item if it is a list.
    pub(crate) of: TokenStream,
    pub(crate) optional: bool,
    pub(crate) list: bool,
    /// `true` if a setter must give it a value: a deletion without a filter deletes more than it seems.
    pub(crate) given: bool,
    /// `true` if it is text or an id.
    pub(crate) is_text: bool,
}

/// A field of a struct.
pub(crate) struct Field {
    pub(crate) name: String,
    pub(crate) required: bool,
    pub(crate) slot: Slot,
}

impl Slot {
    /// The type as a field declares it.
    pub(crate) fn declared(&self) -> TokenStream {
        let of = &self.of;
        let of = if self.list {
            quote!(::std::vec::Vec<#of>)
        } else {
            quote!(#of)
        };
        if self.optional {
            quote!(::std::option::Option<#of>)
        } else {
            of
        }
    }
}

impl Types {
    /// The types of all schemas, parameters, bodies and responses.
    pub(crate) fn of(document: &Document) -> Result<Self, Error> {
        let root = document.value();
        let mut settings = TypeSpaceSettings::default();
        settings
            .with_type_mod("types")
            .with_derive("PartialEq".to_owned());
        convert(&mut settings, root);
        let schemas = root["components"]["schemas"].as_object();
        let schemas = schemas.cloned().unwrap_or_default();
        let space = with_schemas(&settings, &schemas).map_err(|reason| {
            let location = locate(&schemas, |part| with_schemas(&settings, part).is_err());
            Error::at(location, reason)
        })?;
        let mut types = Self {
            space,
            operations: Vec::new(),
        };
        for operation in document.operations() {
            let added = types.with_operation(operation).map_err(|reason| {
                let method = operation.method.to_lowercase();
                Error::at(format!("paths.{}.{method}", operation.path), reason)
            })?;
            types.operations.push(added);
        }
        Ok(types)
    }

    fn with_operation(&mut self, operation: &Operation) -> Result<OperationTypes, String> {
        let mut add = |schema: Result<Schema, String>, name: &str| {
            let (schema, name) = (schema?, format!("{}-{name}", operation.id));
            checked(&mut self.space, |space| {
                space.add_type_with_name(&schema, Some(name))
            })
        };
        let parameters = operation.parameters.iter().map(|parameter| {
            let schema = match parameter.location {
                ParameterLocation::Path => identity_schema(&parameter.schema),
                ParameterLocation::Query | ParameterLocation::Header => {
                    json_schema(&parameter.schema)
                }
            };
            add(schema, &parameter.name)
        });
        let parameters = parameters.collect::<Result<_, _>>()?;
        let body = operation.body.as_ref();
        let body = body.map(|body| add(json_schema(&body.media["schema"]), "body"));
        let output = operation.content.as_ref();
        let output = output.map(|schema| add(json_schema(schema), "response"));
        Ok(OperationTypes {
            parameters,
            body: body.transpose()?,
            output: output.transpose()?,
        })
    }

    /// The types of each operation, in the order of the document.
    pub(crate) fn operations(&self) -> &[OperationTypes] {
        &self.operations
    }

    /// The code of all types.
    pub(crate) fn code(&self) -> Result<Vec<Item>, Error> {
        code(&self.space).map_err(Error::new)
    }

    pub(crate) fn get(&self, id: &TypeId) -> Result<Type<'_>, Error> {
        self.space.get_type(id).map_err(Error::new)
    }

    /// All structs, enums and newtypes of the document, by name.
    pub(crate) fn named(&self) -> impl Iterator<Item = Type<'_>> {
        let named = self.space.iter_types().filter(|of| {
            let details = of.details();
            matches!(
                details,
                TypeDetails::Struct(_) | TypeDetails::Enum(_) | TypeDetails::Newtype(_)
            )
        });
        let by_name: BTreeMap<String, Type<'_>> = named.map(|of| (of.name(), of)).collect();
        by_name.into_values()
    }

    /// A type, or the type in it and `true` if it is an `Option`.
    pub(crate) fn without_option(&self, id: &TypeId) -> Result<(Type<'_>, bool), Error> {
        let value = match self.get(id)?.details() {
            TypeDetails::Option(value) => Some(value),
            _ => None,
        };
        Ok((self.get(value.as_ref().unwrap_or(id))?, value.is_some()))
    }

    /// What a value of a type holds.
    pub(crate) fn slot(&self, id: &TypeId) -> Result<Slot, Error> {
        let (of, optional) = self.without_option(id)?;
        let item = match of.details() {
            TypeDetails::Vec(item) => Some(item),
            _ => None,
        };
        let (list, of) = (item.is_some(), item.map_or(Ok(of), |id| self.get(&id))?);
        let is_text = match of.details() {
            _ if list => false,
            TypeDetails::String => true,
            TypeDetails::Builtin(name) => name.starts_with("crate::ids::"),
            _ => false,
        };
        Ok(Slot {
            of: of.ident(),
            optional,
            list,
            given: false,
            is_text,
        })
    }

    /// The fields of a struct; `None` for every other type.
    pub(crate) fn fields(&self, of: &Type<'_>) -> Result<Option<Vec<Field>>, Error> {
        let TypeDetails::Struct(details) = of.details() else {
            return Ok(None);
        };
        let fields = details.properties_info().map(|property| {
            Ok(Field {
                name: property.name.to_owned(),
                required: property.required,
                slot: self.slot(&property.type_id)?,
            })
        });
        fields.collect::<Result<_, _>>().map(Some)
    }
}

/// A space with the types of schemas, whose code is valid.
fn with_schemas(
    settings: &TypeSpaceSettings,
    schemas: &Map<String, Value>,
) -> Result<TypeSpace, String> {
    let converted = schemas
        .iter()
        .map(|(name, schema)| Ok((name, json_schema(schema)?)))
        .collect::<Result<Vec<_>, String>>()?;
    let mut space = TypeSpace::new(settings);
    checked(&mut space, |space| space.add_ref_types(converted))?;
    code(&space)?;
    Ok(space)
}

/// Adds types to a space. Returns the reason if it cannot have them.
fn checked<T>(
    space: &mut TypeSpace,
    add: impl FnOnce(&mut TypeSpace) -> Result<T, typify::Error>,
) -> Result<T, String> {
    let added = caught(|| add(space))?;
    let added =
        added.map_err(|error| format!("{error}; correct it or describe it in another way"))?;
    let without_values = |of: Type<'_>| matches!(of.details(), TypeDetails::Enum(of) if of.variants().next().is_none());
    if space.iter_types().any(without_values) {
        return Err(
            "no value has this type, because the parts of an `allOf` contradict each other; correct one of them"
                .to_owned(),
        );
    }
    Ok(added)
}

fn code(space: &TypeSpace) -> Result<Vec<Item>, String> {
    let tokens = caught(|| space.to_stream())?;
    let file: syn::File =
        syn::parse2(tokens).map_err(|error| format!("typify generated invalid code: {error}"))?;
    Ok(file.items)
}

/// typify panics on schemas that it cannot combine. Which ones these are cannot be told without combining them.
fn caught<T>(work: impl FnOnce() -> T) -> Result<T, String> {
    catch_unwind(AssertUnwindSafe(work)).map_err(|panic| {
        let text = panic.downcast_ref::<String>().map(String::as_str);
        let text = text.or_else(|| panic.downcast_ref::<&str>().copied());
        format!(
            "the generator does not support this: {}; describe it in another way",
            text.unwrap_or("it panicked")
        )
    })
}
