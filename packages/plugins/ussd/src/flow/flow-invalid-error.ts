import { OracleError } from '@sibyl/plugin'

/** Thrown for a flow that cannot work: it names every fault, each with its place. */
export class FlowInvalidError extends OracleError {
  readonly code = 'flow_invalid'
  /** One line each: `screens.home.options[0].to: no screen is called "hom"; …`. */
  readonly problems: readonly string[]

  constructor(problems: readonly string[]) {
    super(
      `The USSD flow has ${problems.length} ${problems.length === 1 ? 'fault' : 'faults'}:\n${problems.map(problem => `  ${problem}`).join('\n')}`,
      { problems },
    )
    this.problems = problems
  }
}
