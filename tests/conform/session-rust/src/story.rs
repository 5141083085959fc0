//! Uses all operations in the order of a typical integration.
//!
//! It provokes errors too, since a proxy must forward documented errors.

use anyhow::ensure;
use lms_ext::{Error, prelude::*};

use crate::session::{Talk, Tenant, first, id, same};

pub(crate) async fn tell(tenant: &Tenant) -> anyhow::Result<()> {
    let talk = tenant.session()?;
    connection(&talk, tenant).await?;
    let (course, learner) = additions(&talk).await?;
    edits(&talk, &course, &learner).await?;
    enrolments(&talk, &course, &learner).await?;
    let (course_of_many, user) = progress(&talk).await?;
    custom_fields(&talk, &user).await?;
    whole_lists(&talk).await?;
    walks(&talk.lms).await?;
    duplication(&talk, &course_of_many).await?;
    deletions(&talk, &course, &learner).await?;
    let count = talk.all_called()?;
    println!("{count} operations responded as documented");
    Ok(())
}

async fn connection(talk: &Talk, tenant: &Tenant) -> anyhow::Result<()> {
    let test = talk.say(talk.lms.test()).await?;
    let me = talk.say(talk.lms.me()).await?;
    same("tid of test and me", &test.tid, &me.tid)?;
    let token = talk
        .say(
            talk.lms.get_token().body(
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

async fn additions(talk: &Talk) -> anyhow::Result<(String, String)> {
    let course = talk
        .say(
            talk.lms
                .add_course()
                .body(types::AddCourse::builder().name("Lifting").published(true)),
        )
        .await?;
    same("name", &course.name.as_deref(), &Some("Lifting"))?;
    let learner = talk
        .say(
            talk.lms.add_learner().body(
                types::AddLearner::builder()
                    .firstname("Zoë")
                    .surname("O'Bell & Söhne")
                    .email("zoe+bell@acme.example")
                    .generate_password(true)
                    .tags(vec!["night shift".to_owned()]),
            ),
        )
        .await?;
    same("tags", &learner.tags, &vec!["night shift".to_owned()])?;
    Ok((id(course.id)?, id(learner.id)?))
}

async fn edits(talk: &Talk, course: &str, learner: &str) -> anyhow::Result<()> {
    let mut document = talk.say(talk.lms.get_course().id(course)).await?;
    document.description = Some("How to lift".to_owned());
    document.pass_mark = Some(Int64::from(75));
    let edited = talk
        .say(talk.lms.edit_course().id(course).body(document))
        .await?;
    same("pass mark", &edited.pass_mark, &Some(Int64::from(75)))?;
    let by_email = talk
        .say(
            talk.lms
                .get_learner_by_email()
                .email("zoe+bell@acme.example"),
        )
        .await?;
    same("id by email", &by_email.id.as_deref(), &Some(learner))?;
    let edit = types::EditLearner::builder()
        .firstname("Zoë")
        .surname("Bell-Ray")
        .email("zoe+bell@acme.example");
    let edited = talk
        .say(talk.lms.edit_learner().id(learner).body(edit))
        .await?;
    same("surname", &edited.surname.as_deref(), &Some("Bell-Ray"))?;
    let by_id = talk.say(talk.lms.get_learner_by_id().id(learner)).await?;
    same(
        "surname by id",
        &by_id.surname.as_deref(),
        &Some("Bell-Ray"),
    )
}

async fn enrolments(talk: &Talk, course: &str, learner: &str) -> anyhow::Result<()> {
    let body = || types::AddEnrolment::builder().course(course).user(learner);
    let enrolment = talk.say(talk.lms.add_enrolment().body(body())).await?;
    same("user", &enrolment.user.as_deref(), &Some(learner))?;
    talk.refused(talk.lms.add_enrolment().body(body()), Error::is_conflict)
        .await?;
    // One filter at a time, since a filter without effect would go unnoticed beside another.
    for list in [
        talk.lms.list_enrolments().user(learner),
        talk.lms.list_enrolments().course(course),
    ] {
        same("enrolments", &talk.say(list).await?.items.len(), &1)?;
    }
    talk.say(talk.lms.delete_enrolment().course(course).user(learner))
        .await
}

/// Returns a course and a learner who completed it.
async fn progress(talk: &Talk) -> anyhow::Result<(String, String)> {
    let completion = first(
        talk.say(talk.lms.list_course_completions().limit(1))
            .await?
            .items,
    )?;
    let (course, user) = (id(completion.course)?, id(completion.user)?);
    let whole = talk
        .say(talk.lms.get_course_progress().course(&course).user(&user))
        .await?;
    same("completed", &whole.completed, &Some(true))?;
    let topics = talk
        .say(talk.lms.list_topics().course(&course).published(true))
        .await?
        .items;
    let topic = id(first(topics)?.id)?;
    talk.say(talk.lms.get_topic().id(&topic)).await?;
    talk.say(
        talk.lms
            .list_topic_progress()
            .user(&user)
            .course(&course)
            .completed(true),
    )
    .await?;
    let one = talk
        .say(
            talk.lms
                .get_topic_progress()
                .user(&user)
                .topic(&topic)
                .course(&course),
        )
        .await?;
    same("completed", &one.completed, &Some(true))?;
    Ok((course, user))
}

async fn custom_fields(talk: &Talk, user: &str) -> anyhow::Result<()> {
    let fields = talk.say(talk.lms.list_user_fields()).await?.items;
    for field in fields {
        let field = id(field.id)?;
        talk.say(talk.lms.get_user_field().id(&field)).await?;
        talk.say(talk.lms.get_active_record().user(user).user_field(&field))
            .await?;
    }
    let permissions = talk
        .say(talk.lms.list_user_field_permissions().user(user))
        .await?;
    first(permissions.items)?;
    Ok(())
}

async fn whole_lists(talk: &Talk) -> anyhow::Result<()> {
    first(talk.say(talk.lms.list_signup_pages()).await?.items)?;
    first(talk.say(talk.lms.list_profiles()).await?.items)?;
    first(talk.say(talk.lms.list_tags()).await?.items)?;
    let list = talk
        .say(
            talk.lms
                .list_learners()
                .tags(vec!["emea".to_owned(), "contractor".to_owned()])
                .order_by("surname")
                .order_direction(types::ListLearnersOrderDirection::Desc)
                .limit(5),
        )
        .await?;
    same("direction", &list.order_direction.as_deref(), &Some("DESC"))?;
    talk.say(talk.lms.list_courses().published(true).archived(false))
        .await?;
    Ok(())
}

/// Reads all items, since some have fields that others lack, and compares their number with `number_found`.
async fn walks(lms: &Lms) -> anyhow::Result<()> {
    macro_rules! whole {
        ($list:ident) => {
            let rows = lms.$list().items().collect_all().await?.len();
            let number_found = lms.$list().limit(1).call().await?.number_found;
            same(
                stringify!($list),
                &number_found,
                &Some(Int64::from(i64::try_from(rows)?)),
            )?;
            ensure!(rows > 0, "{} has no items", stringify!($list));
        };
    }
    whole!(list_learners);
    whole!(list_courses);
    whole!(list_enrolments);
    whole!(list_topics);
    whole!(list_topic_progress);
    whole!(list_user_fields);
    // This list has no `number_found`.
    let completions = lms.list_course_completions().items().collect_all().await?;
    ensure!(!completions.is_empty(), "there are no completions");
    Ok(())
}

async fn duplication(talk: &Talk, course: &str) -> anyhow::Result<()> {
    let body = types::AddDuplicateCourse::builder()
        .course(course)
        .name("A copy".to_owned());
    let task = id(talk
        .say(talk.lms.add_duplicate_course().body(body))
        .await?
        .id)?;
    for _ in 0..100 {
        let seen = talk.say(talk.lms.view_duplicate_course().id(&task)).await?;
        if seen.complete == Some(true) {
            let copy = talk
                .say(talk.lms.get_course().id(id(seen.new_course)?))
                .await?;
            return same("name", &copy.name.as_deref(), &Some("A copy"));
        }
    }
    anyhow::bail!("the duplication did not finish")
}

async fn deletions(talk: &Talk, course: &str, learner: &str) -> anyhow::Result<()> {
    talk.say(talk.lms.delete_learner().id(learner)).await?;
    talk.refused(
        talk.lms.get_learner_by_id().id(learner),
        Error::is_not_found,
    )
    .await?;
    talk.say(talk.lms.delete_course().id(course)).await?;
    talk.refused(talk.lms.delete_course().id(course), Error::is_not_found)
        .await
}
