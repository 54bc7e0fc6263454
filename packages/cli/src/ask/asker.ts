import type { CommandIo } from '../process/command-io.ts'

export interface Choice<Value> {
  readonly value: Value
  readonly label: string
  /** Shown beside the selected choice. */
  readonly hint?: string
}

/**
 * Asks questions on a terminal. Each call throws `interrupted` (exit code 130) when the user cancels with Ctrl-C or
 * Escape.
 */
export interface Asker {
  /**
   * Asks for a line of text.
   *
   * @param options initial: the default; check: returns the error of an answer, if any
   */
  text(
    message: string,
    options?: {
      readonly initial?: string | undefined
      readonly placeholder?: string | undefined
      readonly check?: (answer: string) => string | undefined
    },
  ): Promise<string>
  /** Asks for a secret, without echo. */
  secret(message: string, options?: { readonly check?: (answer: string) => string | undefined }): Promise<string>
  select<Value>(message: string, choices: readonly Choice<Value>[], initial?: Value): Promise<Value>
  confirm(message: string, initial?: boolean): Promise<boolean>
  /** Shows a note between questions. */
  note(lines: readonly string[], title?: string): void
  /** Shows a progress line with a name and the current step while work runs. */
  during<Result>(name: string, work: (step: (text: string) => void) => Promise<Result>): Promise<Result>
}

/** Returns whether questions are possible: both streams are a terminal, not in CI, without `--yes` and `--json`. */
export const mayAsk = (
  { stdin, stdout, env }: CommandIo,
  { yes = false, json = false }: { readonly yes?: boolean; readonly json?: boolean },
): boolean => !yes && !json && stdin.isTTY === true && stdout.isTTY === true && !isCi(env)

const isCi = (env: CommandIo['env']): boolean => ![undefined, '', '0', 'false'].includes(env.CI)
