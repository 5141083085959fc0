//! Runs a function for many items, some at a time: most programs of the checks keep one core busy, or wait.

use std::{
    sync::{
        Mutex, PoisonError,
        atomic::{AtomicUsize, Ordering},
    },
    thread,
};

/// Returns the results in the order of the items. Each of the `workers` threads takes the next item when it is done with one.
pub(crate) fn concurrently<T: Sync, R: Send>(
    items: &[T],
    workers: usize,
    run: impl Fn(&T) -> R + Sync,
) -> Vec<R> {
    let next = AtomicUsize::new(0);
    let results = Mutex::new(Vec::new());
    thread::scope(|scope| {
        for _ in 0..workers {
            scope.spawn(|| {
                while let index = next.fetch_add(1, Ordering::Relaxed)
                    && let Some(item) = items.get(index)
                {
                    let result = run(item);
                    let mut results = results.lock().unwrap_or_else(PoisonError::into_inner);
                    results.push((index, result));
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_else(PoisonError::into_inner);
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

#[cfg(test)]
mod tests {
    use std::sync::Barrier;

    use super::concurrently;

    #[test]
    fn items_run_at_the_same_time_and_results_have_their_order() {
        // Does not end if they run one after the other.
        let barrier = Barrier::new(2);
        let doubled = concurrently(&[1, 2, 3, 4], 2, |item| {
            barrier.wait();
            item * 2
        });
        assert_eq!(doubled, [2, 4, 6, 8]);
        assert!(concurrently(&[], 2, |item: &u8| *item).is_empty());
    }
}
