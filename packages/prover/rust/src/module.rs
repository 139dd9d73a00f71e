//! The WebAssembly module's functions. The host calls them from one thread, one after the other.
#![cfg_attr(target_family = "wasm", no_main)]

use std::sync::{Mutex, MutexGuard, PoisonError};

use wallet_companion_prover::{Failure, Keys};

struct State {
    keys: Keys,
    /// Sapling's parameters, until a call uses them.
    sapling: [Vec<u8>; 2],
    input: Vec<u8>,
    answer: Vec<u8>,
}

static STATE: Mutex<State> = Mutex::new(State {
    keys: Keys::NONE,
    sapling: [Vec::new(), Vec::new()],
    input: Vec::new(),
    answer: Vec::new(),
});

fn state() -> MutexGuard<'static, State> {
    STATE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Call it once, before all else.
#[unsafe(no_mangle)]
pub extern "C" fn start_threads(count: usize) {
    rayon::ThreadPoolBuilder::new()
        .num_threads(count)
        .stack_size(4 << 20)
        .build_global()
        .expect("called once");
}

/// Where the host writes the PCZT.
#[unsafe(no_mangle)]
pub extern "C" fn allocate(length: usize) -> *mut u8 {
    let input = &mut state().input;
    *input = vec![0; length];
    input.as_mut_ptr()
}

/// Where the host writes Sapling's parameters, of which it has compared the digests: those for spends (0) or outputs (1).
#[unsafe(no_mangle)]
pub extern "C" fn allocate_sapling(which: usize, length: usize) -> *mut u8 {
    let file = &mut state().sapling[which];
    *file = vec![0; length];
    file.as_mut_ptr()
}

/// 0, or the number of a failure, whose text is the answer.
#[unsafe(no_mangle)]
pub extern "C" fn prove() -> u32 {
    answer(|keys, input| keys.prove(input))
}

#[unsafe(no_mangle)]
pub extern "C" fn verify() -> u32 {
    answer(|keys, input| keys.verify(input).map(|()| Vec::new()))
}

fn answer(work: impl FnOnce(&mut Keys, &[u8]) -> Result<Vec<u8>, Failure>) -> u32 {
    let state = &mut *state();
    if state.sapling.iter().all(|file| !file.is_empty()) {
        state.keys.set_sapling(std::mem::take(&mut state.sapling));
    }
    let outcome = work(&mut state.keys, &state.input);
    state.input.fill(0);
    let (status, answer) = match outcome {
        Ok(answer) => (0, answer),
        Err(failure) => (failure.kind as u32, failure.to_string().into_bytes()),
    };
    state.answer = answer;
    status
}

/// The host wipes the answer when it has read it.
#[unsafe(no_mangle)]
pub extern "C" fn answer_pointer() -> *const u8 {
    state().answer.as_ptr()
}

#[unsafe(no_mangle)]
pub extern "C" fn answer_length() -> usize {
    state().answer.len()
}

#[cfg(not(target_family = "wasm"))]
fn main() {}
