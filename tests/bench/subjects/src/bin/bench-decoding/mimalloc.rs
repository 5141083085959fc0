//! As `bench-decoding`, with memory from mimalloc: `bench-decoding-mimalloc JOB FILE WARM-UP CALLS`.
#![expect(
    clippy::print_stdout,
    reason = "the result is written to standard output"
)]

mod jobs;
mod memory;
mod timed;

use std::{env, error::Error};

type Result<T> = std::result::Result<T, Box<dyn Error>>;

#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[tokio::main(flavor = "current_thread")]
async fn main() -> Result<()> {
    let mut arguments = env::args().skip(1);
    let job = arguments.next().ok_or("which job?")?;
    let file = arguments.next().ok_or("which file?")?;
    println!("{}", timed::run(&job, &file, &mut arguments).await?);
    Ok(())
}
