import type { CommandIo } from '../process/command-io.ts'

export interface Choice<Value> {
  readonly value: Value
  readonly label: string
  /** Shown beside the marked one. */
  readonly hint?: string
}

/**
 * Asks a person on a terminal, one question after the other. Each call throws `interrupted` (exit code 130) when the
 * person cancels it with Ctrl-C or Escape.
 */
export interface Asker {
  /**
   * A line of text.
   *
   * @param options initial: shown until something is typed, and the answer where nothing is; check: says what is wrong with
   * an answer, or nothing
   */
  text(
    message: string,
    options?: {
      readonly initial?: string
      readonly placeholder?: string
      readonly check?: (answer: string) => string | undefined
    },
  ): Promise<string>
  /** A secret, which is not shown. */
  secret(message: string, options?: { readonly check?: (answer: string) => string | undefined }): Promise<string>
  select<Value>(message: string, choices: readonly Choice<Value>[], initial?: Value): Promise<Value>
  confirm(message: string, initial?: boolean): Promise<boolean>
  /** Says something between the questions. */
  note(lines: readonly string[], title?: string): void
  /** Work that may take longer than a second, with its name and the running step in sight. */
  during<Result>(name: string, work: (step: (text: string) => void) => Promise<Result>): Promise<Result>
}

/** Whether somebody can be asked: both ends are a terminal, this is no CI, and no `--yes` or `--json` was given. */
export const mayAsk = (
  { stdin, stdout, env }: CommandIo,
  { yes = false, json = false }: { readonly yes?: boolean; readonly json?: boolean },
): boolean => !yes && !json && stdin.isTTY === true && stdout.isTTY === true && !isCi(env)

const isCi = (env: CommandIo['env']): boolean => ![undefined, '', '0', 'false'].includes(env.CI)
