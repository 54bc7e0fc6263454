import type { MetricsRegistry, Sample } from '@sibyl/telemetry'
import type { TokensUsed } from '../budgets/token-budgets.ts'
import type { PluginRecord } from '../plugins/plugin-status.ts'

/** What is looked at when somebody reads the metrics. */
export interface OracleState {
  runningTurns(): number
  /** Chat streams that are read now. */
  openStreams(): number
  /** How many durable jobs there are in each state. */
  jobs(): Promise<ReadonlyMap<string, number>>
  plugins(): readonly PluginRecord[]
  /** Whether the database responds. */
  ping(): Promise<boolean>
  /** Whether calls of the model are held back; missing where nothing would. */
  readonly circuit: (() => 'closed' | 'open' | 'half-open') | undefined
  /** What the whole oracle used today. */
  tokensUsed(): Promise<TokensUsed>
}

const circuitValues = { closed: 0, 'half-open': 0.5, open: 1 } as const

/** Adds what tells how the oracle stands. */
export const addOracleState = (registry: MetricsRegistry, state: OracleState): void => {
  const gauge = (name: string, help: string, collect: () => readonly Sample[] | Promise<readonly Sample[]>) =>
    registry.collected({ type: 'gauge', name, help, collect })
  gauge('sibyl_running_turns', 'Turns that run in this process.', () => [[[], state.runningTurns()]])
  gauge('sibyl_open_streams', 'Open chat streams of turns that run in this process.', () => [
    [[], state.openStreams()],
  ])
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
