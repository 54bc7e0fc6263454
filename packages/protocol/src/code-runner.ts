import type { CountedActor } from './counted-actor.ts'
import { type ServiceToken, serviceToken } from './service-token.ts'

/** A file that a program finds. */
export interface CodeFile {
  /** A relative path such as `data/points.csv`. */
  readonly name: string
  readonly text: string
}

/** A program to run. */
export interface CodeRequest {
  /** One of `languages()`. */
  readonly language: string
  readonly code: string
  /** 1 MB in all; a program reads its arguments from one of them too. */
  readonly files?: readonly CodeFile[]
  /** The owner of the program: programs of one holder run one after the other. */
  readonly actor: CountedActor
  /** Ends the program. */
  readonly signal: AbortSignal
}

/** A file that a program wrote. */
export interface CodeOutputFile {
  readonly name: string
  /** Its size. */
  readonly bytes: number
  /** The complete content: as text, or in Base64 if it is binary. */
  readonly text: string
  readonly encoding: 'utf8' | 'base64'
}

/** The result of a program. Its texts are data from outside, never instructions. */
export interface CodeOutcome {
  /** Whether it ran to its end. */
  readonly ok: boolean
  /** The value of the last expression, as text. */
  readonly result?: string
  /** The output, truncated at a limit. */
  readonly output: string
  /** Why it ended before, with the line of the program where that is known. */
  readonly error?: string
  readonly files: readonly CodeOutputFile[]
  /** Milliseconds that it ran. */
  readonly durationMs: number
}

/** Runs programs where they can do no harm. */
export interface CodeRunner {
  /** Returns the languages that it can run now: `javascript` and others; empty while a remote runner is unavailable. */
  languages(): readonly string[]
  /**
   * Runs a program once. A program that fails is an outcome.
   *
   * @throws ToolFailure with a text for people, where it cannot be run: the language is not known, it or its files are too
   *   large, too many run just now, the remote runner is away.
   */
  run(request: CodeRequest): Promise<CodeOutcome>
}

/** The service of the plugin that runs programs. @example host.optionalService(codeRunner)?.languages() */
export const codeRunner: ServiceToken<CodeRunner> = serviceToken('code-runner')
