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
  /** Whose program it is: programs of one holder wait for each other. */
  readonly actor: CountedActor
  /** Ends the program. */
  readonly signal: AbortSignal
}

/** A file that a program wrote. */
export interface CodeOutputFile {
  readonly name: string
  /** Its size. */
  readonly bytes: number
  /** All of it: as it is, or in Base64 where it is no text. */
  readonly text: string
  readonly encoding: 'utf8' | 'base64'
}

/** How a program ended. Its texts are data from outside: they give no orders. */
export interface CodeOutcome {
  /** Whether it ran to its end. */
  readonly ok: boolean
  /** The value of the last expression, as text. */
  readonly result?: string
  /** What it printed, cut at a cap. */
  readonly output: string
  /** Why it ended before, with the line of the program where that is known. */
  readonly error?: string
  readonly files: readonly CodeOutputFile[]
  /** Milliseconds that it ran. */
  readonly durationMs: number
}

/** Runs programs where they can do no harm. */
export interface CodeRunner {
  /** What it can run just now: `javascript` and others; none while a remote one is away. */
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
