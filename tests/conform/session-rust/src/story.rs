//! Uses all operations in the order of a typical integration.
//!
//! It also provokes errors, since a proxy must forward documented errors.

use anyhow::ensure;
use lms_ext::{Error, OPERATIONS, prelude::*};

use crate::{Session, Tenant, first, id, same};

/// Uses all operations without faults, and checks the responses.
///
/// # Errors
///
/// A wrong response.
pub async fn run(tenant: &Tenant) -> anyhow::Result<String> {
    let session = tenant.session()?;
    connection(&session, tenant).await?;
    let (course, learner) = additions(&session).await?;
    edits(&session, &course, &learner).await?;
    enrolments(&session, &course, &learner).await?;
    let (course_of_many, user) = progress(&session).await?;
    custom_fields(&session, &user).await?;
    filtered_lists(&session).await?;
    listings(&session.lms).await?;
    duplication(&session, &course_of_many).await?;
    deletions(&session, &course, &learner).await?;
    let others = session.call_others().await?;
    Ok(format!(
        "{} operations responded as documented, {others} of them to the sandbox's example",
        OPERATIONS.len()
    ))
}

async fn connection(session: &Session, tenant: &Tenant) -> anyhow::Result<()> {
    let test = session.call(session.lms.test()).await?;
    let me = session.call(session.lms.me()).await?;
    same("tid of test and me", &test.tid, &me.tid)?;
    let token = session
        .call(
            session.lms.get_token(
                types::TokenRequest::builder()
                    .grant_type("client_credentials".to_owned())
                    .client_id(Some(tenant.client_id.parse::<Int64>()?))
                    .client_secret(tenant.client_secret.clone()),
            ),
        )
        .await?;
    ensure!(token.access_token.is_some(), "the token is missing");
    ensure!(token.expires_in.is_some(), "the token has no lifetime");
    Ok(())
}

async fn additions(session: &Session) -> anyhow::Result<(ids::CourseId, ids::LearnerId)> {
    let course = session
        .call(session.lms.add_course("Lifting").published(true))
        .await?;
    same("name", &course.name.as_deref(), &Some("Lifting"))?;
    let learner = session
        .call(
            session
                .lms
                .add_learner("Zoë", "O'Bell & Söhne", "zoe+bell@acme.example")
                .generate_password(true)
                .tags("night shift"),
        )
        .await?;
    same("tags", &learner.tags, &vec!["night shift".to_owned()])?;
    Ok((id(course.id)?, id(learner.id)?))
}

async fn edits(session: &Session, course: &str, learner: &str) -> anyhow::Result<()> {
    let mut document = session.call(session.lms.get_course(course)).await?;
    document.description = Some("How to lift".to_owned());
    document.pass_mark = Some(Int64::from(75));
    let edited = session
        .call(session.lms.edit_course(course, document))
        .await?;
    same("pass mark", &edited.pass_mark, &Some(Int64::from(75)))?;
    let by_email = session
        .call(session.lms.get_learner_by_email("zoe+bell@acme.example"))
        .await?;
    same("id by email", &by_email.id.as_deref(), &Some(learner))?;
    let edit = types::EditLearner::builder("Zoë", "Bell-Ray", "zoe+bell@acme.example");
    let edited = session
        .call(session.lms.edit_learner(learner, edit))
        .await?;
    same("surname", &edited.surname.as_deref(), &Some("Bell-Ray"))?;
    ensure!(
        edited.tags.is_empty(),
        "a PUT clears the fields that it does not contain"
    );
    let by_id = session.call(session.lms.get_learner_by_id(learner)).await?;
    same(
        "surname by id",
        &by_id.surname.as_deref(),
        &Some("Bell-Ray"),
    )
}

async fn enrolments(session: &Session, course: &str, learner: &str) -> anyhow::Result<()> {
    let add = || session.lms.add_enrolment(course, learner);
    let enrolment = session.call(add()).await?;
    same("user", &enrolment.user.as_deref(), &Some(learner))?;
    session.refused(add(), Error::is_conflict).await?;
    // One filter at a time, since a filter without effect would go unnoticed next to another.
    for list in [
        session.lms.list_enrolments().user(learner),
        session.lms.list_enrolments().course(course),
    ] {
        same("enrolments", &session.call(list).await?.items.len(), &1)?;
    }
    session
        .call(session.lms.delete_enrolment().course(course).user(learner))
        .await
}

/// Returns a course and a learner who completed it.
async fn progress(session: &Session) -> anyhow::Result<(ids::CourseId, ids::LearnerId)> {
    let completion = first(
        session
            .call(session.lms.list_course_completions().limit(1))
            .await?
            .items,
    )?;
    let (course, user) = (id(completion.course)?, id(completion.user)?);
    let progress = session
        .call(session.lms.get_course_progress(&course, &user))
        .await?;
    same("completed", &progress.completed, &Some(true))?;
    let topics = session
        .call(session.lms.list_topics().course(&course).published(true))
        .await?
        .items;
    let topic = id(first(topics)?.id)?;
    session.call(session.lms.get_topic(&topic)).await?;
    session
        .call(
            session
                .lms
                .list_topic_progress()
                .user(&user)
                .course(&course)
                .completed(true),
        )
        .await?;
    let one = session
        .call(
            session
                .lms
                .get_topic_progress(&user, &topic)
                .course(&course),
        )
        .await?;
    same("completed", &one.completed, &Some(true))?;
    Ok((course, user))
}

async fn custom_fields(session: &Session, user: &str) -> anyhow::Result<()> {
    let fields = session.call(session.lms.list_user_fields()).await?.items;
    for field in fields {
        let field = id(field.id)?;
        session.call(session.lms.get_user_field(&field)).await?;
        session
            .call(session.lms.get_active_record(user, &field))
            .await?;
    }
    let permissions = session
        .call(session.lms.list_user_field_permissions(user))
        .await?;
    first(permissions.items)?;
    Ok(())
}

async fn filtered_lists(session: &Session) -> anyhow::Result<()> {
    first(session.call(session.lms.list_signup_pages()).await?.items)?;
    first(session.call(session.lms.list_profiles()).await?.items)?;
    first(session.call(session.lms.list_tags()).await?.items)?;
    let list = session
        .call(
            session
                .lms
                .list_learners()
                .tags(vec!["emea".to_owned(), "contractor".to_owned()])
                .order_by("surname")
                .order_direction(types::ListLearnersOrderDirection::Desc)
                .limit(5),
        )
        .await?;
    same("direction", &list.order_direction.as_deref(), &Some("DESC"))?;
    let courses = session.lms.list_courses().published(true).archived(false);
    let list = session.call(courses.limit(3)).await?;
    same("limit", &list.limit, &Some(Int64::from(3)))?;
    same(
        "courses and more",
        &(list.items.len(), list.more),
        &(3, Some(true)),
    )
}

/// Reads all items, since some have fields that others lack, and compares their number with `number_found`.
async fn listings(lms: &Lms) -> anyhow::Result<()> {
    macro_rules! check {
        ($list:ident) => {
            let items = lms.$list().items().collect_all().await?.len();
            let number_found = lms.$list().limit(1).call().await?.number_found;
            same(
                stringify!($list),
                &number_found,
                &Some(Int64::from(i64::try_from(items)?)),
            )?;
            ensure!(items > 0, "{} has no items", stringify!($list));
        };
    }
    check!(list_learners);
    check!(list_courses);
    check!(list_enrolments);
    check!(list_topics);
    check!(list_topic_progress);
    check!(list_user_fields);
    // This list has no `number_found`.
    let completions = lms.list_course_completions().items().collect_all().await?;
    ensure!(!completions.is_empty(), "there are no completions");
    Ok(())
}

async fn duplication(session: &Session, course: &str) -> anyhow::Result<()> {
    let task = id(session
        .call(
            session
                .lms
                .add_duplicate_course(course)
                .name("A copy".to_owned()),
        )
        .await?
        .id)?;
    for _ in 0..100 {
        let seen = session
            .call(session.lms.view_duplicate_course(&task))
            .await?;
        if seen.complete == Some(true) {
            let copy = session
                .call(session.lms.get_course(id(seen.new_course)?))
                .await?;
            return same("name", &copy.name.as_deref(), &Some("A copy"));
        }
    }
    anyhow::bail!("the duplication did not finish")
}

async fn deletions(session: &Session, course: &str, learner: &str) -> anyhow::Result<()> {
    session.call(session.lms.delete_learner(learner)).await?;
    session
        .refused(session.lms.get_learner_by_id(learner), Error::is_not_found)
        .await?;
    session.call(session.lms.delete_course(course)).await?;
    session
        .refused(session.lms.delete_course(course), Error::is_not_found)
        .await
}
