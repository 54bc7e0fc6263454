/** What one program may cost. */
export const programLimits = {
  /** What its values may take, in bytes. */
  memoryBytes: 64 * 1024 * 1024,
  /** The most that its WebAssembly memory can ever grow to, in pages of 64 kB: its values, the engine's own and the stack. */
  memoryPages: 1536,
  /** Its stack, in bytes of WebAssembly memory; about 1,500 calls. */
  stackBytes: 256 * 1024,
  /** What is kept of what it prints, in characters. */
  outputCharacters: 200_000,
  /** What is kept of its result, in characters. */
  resultCharacters: 200_000,
  /** What is kept of an error, in characters. */
  errorCharacters: 4_000,
  /** How many files it may write. */
  filesWritten: 20,
  /** What the files that it wrote may have in all, in bytes. */
  writtenBytes: 2_000_000,
} as const

/** A file that a program finds or wrote. */
export interface ProgramFile {
  readonly name: string
  readonly content: string | Uint8Array
}

/** What a worker is told to run, once. */
export interface Program {
  readonly code: string
  readonly files: readonly { readonly name: string; readonly text: string }[]
  readonly timeLimitMs: number
}

/** How a program ended, as its worker says. */
export interface ProgramEnd {
  /** The value of its last expression, unless it failed. */
  readonly result?: string
  /** Why it failed. */
  readonly error?: string
  /** The files that it wrote. */
  readonly files: readonly ProgramFile[]
  readonly durationMs: number
}
