//! A population of any size, for exports, pagination and benchmarks.
//!
//! It has the requested numbers of learners, courses and enrolments, with matching topics, progress and completions.

use fastrand::Rng;
use rusqlite::{Connection, params};

use super::catalogue::Catalogue;
use super::learners::ascii;
use super::words::{DAY, FIRST_DAY, WORDS};
use crate::api::problem::Problem;
use crate::error::SandboxError;
use crate::rng::{chance, pick, sample};
use crate::store::Store;

/// The size of generated data.
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
    /// Number of learners; 1,000 by default.
    pub learners: u32,
    /// Number of courses, with three to eight topics each; 20 by default.
    pub courses: u32,
    /// Number of courses that each learner is enrolled in, at most all of them; 2 by default.
    pub enrolments_per_learner: u32,
    /// The seed; 1 by default. The same population always gives the same data.
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

/// Number of learners added in one transaction.
const CHUNK: u32 = 10_000;

/// Fills the tenant with a population, if it has no learners and no courses.
pub(crate) fn populate(store: &Store, population: Population) -> Result<(), SandboxError> {
    let courses = usize::try_from(population.courses).unwrap_or(usize::MAX);
    let catalogue = store.write(|db| Catalogue::add_to_empty(db, courses))?;
    let Some(catalogue) = catalogue else {
        return Ok(());
    };
    let mut generator = Generator::new(population, catalogue);
    let fill = |db: &Connection| {
        while generator.learners < population.learners {
            let next = generator.learners.saturating_add(CHUNK);
            db.execute_batch("BEGIN")?;
            generator.add(db, next.min(population.learners))?;
            db.execute_batch("COMMIT")?;
        }
        Ok(())
    };
    store.fill(fill)?;
    Ok(())
}

/// Adds learners, and keeps the values that the next ones depend on.
struct Generator {
    population: Population,
    catalogue: Catalogue,
    rng: Rng,
    learners: u32,
    enrolments: i64,
    handles: Vec<Vec<String>>,
}

impl Generator {
    fn new(population: Population, catalogue: Catalogue) -> Self {
        let handle = |first: &str| {
            let first = ascii(first);
            WORDS
                .surnames
                .iter()
                .map(|surname| format!("{first}.{}", ascii(surname)))
                .collect()
        };
        Self {
            population,
            catalogue,
            rng: Rng::with_seed(population.seed),
            learners: 0,
            enrolments: 0,
            handles: WORDS.firstnames.iter().map(|first| handle(first)).collect(),
        }
    }

    /// Adds learners until there are `next`.
    fn add(&mut self, db: &Connection, next: u32) -> Result<(), Problem> {
        let mut learner = db.prepare_cached(
            "INSERT INTO learners (id, username, firstname, surname, email, phone_number, sso_id, signup_page, tags,
                 archived, is_admin, created, updated, last_logged_in)
             VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7, ?8, ?9, ?10, ?11, ?12, ?12, ?13)",
        )?;
        let mut tagged = db.prepare_cached("INSERT INTO learner_tags VALUES (?1, ?2)")?;
        while self.learners < next {
            self.learners += 1;
            let (number, rng) = (i64::from(self.learners), &mut self.rng);
            let (first, last) = (
                rng.usize(..WORDS.firstnames.len()),
                rng.usize(..WORDS.surnames.len()),
            );
            let handle = &self.handles[first][last];
            // Spread over 300 days in the order of ids, so that the list by creation is the list by id.
            let created = FIRST_DAY
                + 14 * DAY
                + number * 300 * DAY / i64::from(self.population.learners.max(1));
            let tags = pick(rng, &self.catalogue.tag_sets);
            for tag in &tags.numbers {
                tagged.execute([*tag, number])?;
            }
            learner.execute(params![
                number,
                chance(rng, 80).then(|| format!("{handle}{number}")),
                WORDS.firstnames[first],
                WORDS.surnames[last],
                format!("{handle}{number}@{}", pick(rng, &WORDS.domains)),
                chance(rng, 40).then(|| format!(
                    "+44 20 {:04} {:04}",
                    number / 10_000 % 10_000,
                    number % 10_000
                )),
                chance(rng, 10).then(|| format!("sso-{number:07}")),
                chance(rng, 50).then(|| pick(rng, &self.catalogue.pages)),
                tags.text,
                chance(rng, 4),
                chance(rng, 1),
                created,
                chance(rng, 70).then(|| created + rng.i64(0..90) * DAY),
            ])?;
            self.enrol(db, number, created)?;
        }
        Ok(())
    }

    /// Enrols a learner in some courses, with some progress in each.
    fn enrol(&mut self, db: &Connection, learner: i64, created: i64) -> Result<(), Problem> {
        let mut enrolment =
            db.prepare_cached("INSERT INTO enrolments VALUES (?1, ?2, ?3, ?4, ?5)")?;
        let mut mark = db.prepare_cached(
            "INSERT INTO topic_marks VALUES (?1, ?2, ?3, 1, ?4, ?5, 0, NULL, NULL, ?4)",
        )?;
        let mut completion = db.prepare_cached(
            "INSERT INTO completions (course, learner, happened) VALUES (?1, ?2, ?3)",
        )?;
        let wanted = usize::try_from(self.population.enrolments_per_learner).unwrap_or(usize::MAX);
        for chosen in sample(&mut self.rng, self.catalogue.courses.len(), wanted) {
            let (course, topics) = &self.catalogue.courses[chosen];
            let rng = &mut self.rng;
            self.enrolments += 1;
            let done = match rng.i64(0..100) {
                0..35 => 0,
                35..65 => topics.len(),
                _ => rng.usize(..topics.len()),
            };
            let finished = created + DAY + rng.i64(0..60) * DAY + rng.i64(0..DAY);
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
