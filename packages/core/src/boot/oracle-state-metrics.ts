import type { MetricsRegistry, Sample } from '@sibyl/telemetry'
import type { TokensUsed } from '../budgets/token-budgets.ts'
import type { PluginRecord } from '../plugins/plugin-status.ts'

/** The state of an oracle for the metrics. */
export interface OracleState {
  runningTurns(): number
  /** Returns the number of open chat streams. */
  openStreams(): number
  /** Returns the number of durable jobs in each state. */
  jobs(): Promise<ReadonlyMap<string, number>>
  plugins(): readonly PluginRecord[]
  /** Whether the database responds. */
  ping(): Promise<boolean>
  /** The circuit breaker of the model; missing if there is no model to protect. */
  readonly circuit: (() => 'closed' | 'open' | 'half-open') | undefined
  /** Returns the token usage of the whole oracle today. */
  tokensUsed(): Promise<TokensUsed>
}

const circuitValues = { closed: 0, 'half-open': 0.5, open: 1 } as const

/** Adds the metrics of the state of the oracle. */
export const addOracleState = (registry: MetricsRegistry, state: OracleState): void => {
  const gauge = (name: string, help: string, collect: () => readonly Sample[] | Promise<readonly Sample[]>) =>
    registry.collected({ type: 'gauge', name, help, collect })
  gauge('sibyl_running_turns', 'Turns that run in this process.', () => [[[], state.runningTurns()]])
  gauge('sibyl_open_streams', 'Open chat streams of turns that run in this process.', () => [[[], state.openStreams()]])
  gauge('sibyl_database_up', 'Whether the database responds.', async () => [[[], (await state.ping()) ? 1 : 0]])
  gauge('sibyl_tokens_used_today', 'Tokens used by turns that ended on this UTC day.', async () => [
    [[], (await state.tokensUsed()).tokens],
  ])
  gauge('sibyl_token_budget', 'Tokens that the oracle may use in a UTC day; 0 means unlimited.', async () => [
    [[], (await state.tokensUsed()).budget],
  ])
  const { circuit } = state
  if (circuit) {
    gauge(
      'sibyl_model_circuit_open',
      'State of the circuit breaker of the language model: 1 open, 0.5 half open, 0 closed.',
      () => [[[], circuitValues[circuit()]]],
    )
  }
  registry.collected({
    type: 'gauge',
    name: 'sibyl_jobs',
    help: 'Durable jobs of all processes, by state.',
    labels: ['state'],
    collect: async () => [...(await state.jobs())].map(([name, count]): Sample => [[name], count]),
  })
  registry.collected({
    type: 'gauge',
    name: 'sibyl_plugins',
    help: 'Plugins and capabilities, by state.',
    labels: ['state'],
    collect: () =>
      [...Map.groupBy(state.plugins(), plugin => plugin.state)].map(([name, list]): Sample => [[name], list.length]),
  })
}
