export const programLimits = {
  /** Maximum size of its values, in bytes. */
  memoryBytes: 64 * 1024 * 1024,
  /** Maximum size of its WebAssembly memory, in pages of 64 kB: its values, the engine and the stack. */
  memoryPages: 1536,
  /** Size of its stack, in bytes of WebAssembly memory; about 1,500 calls. */
  stackBytes: 256 * 1024,
  /** Maximum length of its printed output, in characters. */
  outputCharacters: 200_000,
  /** Maximum length of its result, in characters. */
  resultCharacters: 200_000,
  /** Maximum length of an error, in characters. */
  errorCharacters: 4_000,
  /** Maximum number of written files. */
  filesWritten: 20,
  /** Maximum size of all written files together, in bytes. */
  writtenBytes: 2_000_000,
} as const

/** An input file of a program, or one that it wrote. */
export interface ProgramFile {
  readonly name: string
  readonly content: string | Uint8Array
}

/** A program for a worker, which runs it once. */
export interface Program {
  readonly code: string
  readonly files: readonly { readonly name: string; readonly text: string }[]
  readonly timeLimitMs: number
}

/** End of a program, as reported by its worker. */
export interface ProgramEnd {
  /** The value of its last expression, unless it failed. */
  readonly result?: string
  /** Reason of its failure. */
  readonly error?: string
  /** Files that it wrote. */
  readonly files: readonly ProgramFile[]
  readonly durationMs: number
}
