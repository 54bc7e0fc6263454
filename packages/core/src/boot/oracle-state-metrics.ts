import type { OpenedJobs, Storage } from '@sibyl/storage'
import type { MetricsRegistry, Sample } from '@sibyl/telemetry'
import type { PluginStatus } from '../plugins/plugin-status.ts'
import type { MadeTurns } from '../turn/make-turns.ts'

export interface OracleState {
  readonly turns: Pick<MadeTurns, 'service' | 'budgets'>
  readonly jobs: Pick<OpenedJobs, 'counts'>
  readonly status: PluginStatus
  readonly storage: Pick<Storage, 'ping'>
  /** The circuit breaker of the model; missing if there is no model to protect. */
  readonly circuit: (() => 'closed' | 'open' | 'half-open') | undefined
}

const circuitValues = { closed: 0, 'half-open': 0.5, open: 1 } as const

export const addOracleState = (
  registry: MetricsRegistry,
  { turns, jobs, status, storage, circuit }: OracleState,
): void => {
  const { service, budgets } = turns
  const gauge = (name: string, help: string, collect: () => readonly Sample[] | Promise<readonly Sample[]>) =>
    registry.collected({ type: 'gauge', name, help, collect })
  gauge('sibyl_running_turns', 'Turns that run in this process.', () => [[[], service.runningTurns]])
  gauge('sibyl_open_streams', 'Open chat streams of turns that run in this process.', () => [[[], service.openStreams]])
  gauge('sibyl_database_up', 'Whether the database responds.', async () => [[[], (await storage.ping()) ? 1 : 0]])
  gauge('sibyl_tokens_used_today', 'Tokens used by turns that ended on this UTC day.', async () => [
    [[], (await budgets.usedByAll()).tokens],
  ])
  gauge('sibyl_token_budget', 'Tokens that the oracle may use in a UTC day; 0 means unlimited.', async () => [
    [[], (await budgets.usedByAll()).budget],
  ])
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
    collect: async () => [...(await jobs.counts())].map(([name, count]): Sample => [[name], count]),
  })
  registry.collected({
    type: 'gauge',
    name: 'sibyl_plugins',
    help: 'Plugins and capabilities, by state.',
    labels: ['state'],
    collect: () =>
      [...Map.groupBy(status.list(), plugin => plugin.state)].map(([name, list]): Sample => [[name], list.length]),
  })
}
