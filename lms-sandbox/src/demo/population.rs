//! What does a large believable tenant look like?
//!
//! Exports, page walks and benchmarks need more than a demo: as many learners, courses and enrolments as are asked
//! for, with topics, progress and completions to go with them. One population always gives the same tenant.

use std::sync::Arc;

use rusqlite::{Connection, params};

use super::catalogue::Catalogue;
use super::dice::Dice;
use super::words::{DOMAINS, FIRSTNAMES, SURNAMES, TAGS};
use super::{DAY, FIRST_DAY, is_empty, people};
use crate::error::SandboxError;
use crate::ids::Kind;
use crate::problem::Problem;
use crate::store::{Bulk, Store};

/// How many rows of what an empty tenant is filled with.
///
/// ```
/// use lms_sandbox::{Population, Sandbox};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), lms_sandbox::SandboxError> {
/// let population = Population { learners: 5_000, ..Population::default() };
/// let sandbox = Sandbox::builder().population(population).start().await?;
/// # Ok(()) }
/// ```
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Population {
    /// How many learners; 1,000 by default.
    pub learners: u32,
    /// How many courses, of three to eight topics each; 20 by default.
    pub courses: u32,
    /// In how many courses each learner is enrolled, as far as there are courses; 2 by default.
    pub enrolments_per_learner: u32,
    /// Which people, courses and progress; 1 by default.
    pub seed: u64,
}

impl Default for Population {
    fn default() -> Self {
        Self {
            learners: 1_000,
            courses: 20,
            enrolments_per_learner: 2,
            seed: 1,
        }
    }
}

/// How far filling a tenant is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[non_exhaustive]
pub struct FillProgress {
    /// What is being made: `learners` first, with all that belongs to them, then `indexes`.
    pub stage: &'static str,
    /// How many are done.
    pub done: u64,
    /// Of how many.
    pub of: u64,
}

/// Hears how far filling is.
pub(crate) type Listener = Arc<dyn Fn(FillProgress) + Send + Sync>;

const CHUNK: u32 = 10_000;

/// Fills a tenant that has no learners and no courses; one that has some is left as it is.
pub(crate) fn populate(
    store: &Store,
    population: Population,
    listener: Option<&Listener>,
) -> Result<(), SandboxError> {
    let tell = |stage, done, of| {
        if let Some(listener) = listener {
            listener(FillProgress { stage, done, of });
        }
    };
    let courses = usize::try_from(population.courses).unwrap_or(usize::MAX);
    let catalogue = store.write(|connection| {
        is_empty(connection)?
            .then(|| Catalogue::make(connection, courses))
            .transpose()
    })?;
    let Some(catalogue) = catalogue else {
        return Ok(());
    };
    let mut crowd = Crowd::new(population, catalogue);
    let fill = |bulk: &Bulk<'_>| {
        while crowd.learners < population.learners {
            let next = crowd
                .learners
                .saturating_add(CHUNK)
                .min(population.learners);
            bulk.chunk(|connection| crowd.add(connection, next))?;
            tell("learners", next.into(), population.learners.into());
        }
        Ok(())
    };
    store.fill(fill, |done, of| tell("indexes", done, of))?;
    Ok(())
}

/// The learners so far, and what the next ones are made with.
struct Crowd {
    population: Population,
    catalogue: Catalogue,
    dice: Dice,
    learners: u32,
    enrolments: i64,
    handles: Vec<Vec<String>>,
}

impl Crowd {
    fn new(population: Population, catalogue: Catalogue) -> Self {
        let handle = |first: &str| {
            let first = people::ascii(first);
            SURNAMES
                .iter()
                .map(|surname| format!("{first}.{}", people::ascii(surname)))
                .collect()
        };
        Self {
            population,
            catalogue,
            dice: Dice::new(population.seed),
            learners: 0,
            enrolments: 0,
            handles: FIRSTNAMES.iter().map(|first| handle(first)).collect(),
        }
    }

    /// Adds learners until there are `next`.
    fn add(&mut self, connection: &Connection, next: u32) -> Result<(), Problem> {
        let mut learner = connection.prepare_cached(
            "INSERT INTO learners (id, username, firstname, surname, email, phone_number, sso_id, signup_page, tags,
                 archived, is_admin, created, updated, last_logged_in, passwords_set)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13, 1)",
        )?;
        let mut tagged = connection.prepare_cached("INSERT INTO learner_tags VALUES (?1, ?2)")?;
        while self.learners < next {
            self.learners += 1;
            let (number, dice) = (i64::from(self.learners), &mut self.dice);
            let (first, last) = (dice.index(FIRSTNAMES.len()), dice.index(SURNAMES.len()));
            let handle = &self.handles[first][last];
            // Spread over three years, in order: a list by creation is one by id.
            let created = FIRST_DAY
                + 14 * DAY
                + number * 1_000 * DAY / i64::from(self.population.learners.max(1));
            let tags = self.catalogue.some_tags(dice);
            for tag in &tags.numbers {
                tagged.execute([*tag, number])?;
            }
            learner.execute(params![
                number,
                dice.chance(80).then(|| format!("{handle}{number}")),
                FIRSTNAMES[first],
                SURNAMES[last],
                format!("{handle}{number}@{}", dice.pick(DOMAINS)),
                dice.chance(40).then(|| format!(
                    "+44 20 {:04} {:04}",
                    number / 10_000 % 10_000,
                    number % 10_000
                )),
                dice.chance(10).then(|| format!("sso-{number:07}")),
                dice.chance(50)
                    .then(|| dice.pick(&self.catalogue.pages))
                    .and_then(|page| Kind::SignupPage.parse(page)),
                tags.text,
                dice.chance(4),
                dice.chance(1),
                created,
                dice.chance(70).then(|| created + dice.below(200) * DAY),
            ])?;
            self.enrol(connection, number, created)?;
        }
        Ok(())
    }

    /// Enrols a learner in some courses, and gets the learner somewhere in each.
    fn enrol(
        &mut self,
        connection: &Connection,
        learner: i64,
        created: i64,
    ) -> Result<(), Problem> {
        let mut enrolment =
            connection.prepare_cached("INSERT INTO enrolments VALUES (?1, ?2, ?3, ?4, ?5)")?;
        let mut mark = connection.prepare_cached(
            "INSERT INTO topic_marks VALUES (?1, ?2, ?3, 1, ?4, ?5, 0, NULL, NULL, ?4)",
        )?;
        let mut completion = connection.prepare_cached(
            "INSERT INTO completions (course, learner, happened) VALUES (?1, ?2, ?3)",
        )?;
        let wanted = usize::try_from(self.population.enrolments_per_learner).unwrap_or(usize::MAX);
        for chosen in self.dice.some(self.catalogue.courses.len(), wanted) {
            let (course, topics) = &self.catalogue.courses[chosen];
            let dice = &mut self.dice;
            self.enrolments += 1;
            let done = match dice.below(100) {
                0..35 => 0,
                35..65 => topics.len(),
                _ => dice.index(topics.len()),
            };
            let finished = created + DAY + dice.below(60) * DAY + dice.below(DAY);
            let completed = (done == topics.len() && done > 0).then_some(finished);
            enrolment.execute(params![
                self.enrolments,
                course,
                learner,
                created,
                completed
            ])?;
            for topic in &topics[..done] {
                mark.execute([self.enrolments, *topic, *course, finished, learner])?;
            }
            if completed.is_some() {
                completion.execute([*course, learner, finished])?;
            }
        }
        Ok(())
    }
}

/// Sets of tags that learners have, with the text that a learner's row keeps.
#[derive(Debug)]
pub(super) struct TagSet {
    numbers: Vec<i64>,
    text: String,
}

/// None, each tag alone, and each with its neighbour.
pub(super) fn tag_sets(numbers: &[i64]) -> Vec<TagSet> {
    let named: Vec<_> = numbers.iter().zip(TAGS).collect();
    let set = |tags: &[(&i64, &(&str, &str))]| TagSet {
        numbers: tags.iter().map(|(number, _)| **number).collect(),
        text: crate::json::strings_text(tags.iter().map(|(_, (name, _))| *name)),
    };
    std::iter::once(set(&[]))
        .chain(named.chunks(1).map(set))
        .chain(named.windows(2).map(set))
        .collect()
}

impl Catalogue {
    fn some_tags(&self, dice: &mut Dice) -> &TagSet {
        dice.pick(&self.tag_sets)
    }
}
