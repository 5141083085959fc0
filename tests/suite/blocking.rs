//! Calls from code that is not async.

use std::thread;

use lms_ext::{blocking, prelude::*};
use lms_sandbox::Sandbox;

use crate::script::Script;
use crate::servers::{at_once, builder, disturb};

/// A client that is not async, a sandbox, and the client whose thread drives the sandbox.
fn start() -> (blocking::Lms, Sandbox, blocking::Lms) {
    let waiter = blocking::Lms::new(Script::of([]).lms()).unwrap();
    let sandbox = waiter.wait(Sandbox::builder().start()).unwrap();
    let builder = builder(&sandbox).retry(at_once().max_attempts(50));
    let lms = builder.build().unwrap();
    (blocking::Lms::new(lms).unwrap(), sandbox, waiter)
}

#[test]
fn calls_and_lists_work_under_faults_and_from_several_threads() {
    const COURSES: usize = 30;
    let (lms, sandbox, _waiter) = start();
    for effect in ["status 503", "drop after"] {
        let rule = format!("listCourses,getCourse: every 3: {effect}");
        disturb(&sandbox, [rule]);
    }
    let threads: Vec<_> = (0..COURSES)
        .map(|n| {
            let lms = lms.clone();
            thread::spawn(move || {
                let course = lms.add_course(format!("Course {n}")).call();
                let course = lms.wait(course).unwrap();
                let id = course.require_id().unwrap();
                lms.wait(lms.get_course(id).call()).unwrap();
            })
        })
        .collect();
    for thread in threads {
        thread.join().unwrap();
    }
    let mut courses = lms.iter(lms.list_courses().limit(7).items());
    let names: Vec<_> = courses
        .by_ref()
        .map(|course| course.unwrap().name)
        .collect();
    assert_eq!(names.len(), COURSES);
    assert!(courses.stream().summary().is_finished());

    let missing = lms.wait(lms.get_course("c999").call());
    assert!(missing.unwrap_err().is_not_found());
}

#[tokio::test]
#[should_panic = "runtime"]
async fn waiting_in_async_code_panics_instead_of_blocking_the_runtime() {
    let lms = blocking::Lms::new(Script::of([]).lms()).unwrap();
    let _ = lms.wait(lms.me().call());
}
