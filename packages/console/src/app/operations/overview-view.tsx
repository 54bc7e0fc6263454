import { SegmentedControl, Stack } from '@mantine/core'
import { Suspense, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Attention } from '../components/attention.tsx'
import { CommandHint } from '../components/command-hint.tsx'
import { operatorCurl } from '../components/curl.ts'
import { useApprovalCounts, useJobKinds, useOutboxes } from '../components/failure-counts.ts'
import { lazyPart } from '../components/lazy-part.ts'
import { QueryStates } from '../components/query-states.tsx'
import { LoadingState } from '../components/states.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { OperationsPage } from './operations-page.tsx'
import { PluginStates } from './plugin-states.tsx'
import { StatusFacts } from './status-facts.tsx'
import { TurnPlots } from './turn-plots.tsx'
import { type Range, ranges, useTurns } from './turns-summary.ts'
import { DayPlot, UsageTables, useTokenUsage } from './usage-tables.tsx'
import { useStatus } from './use-status.ts'

const McpServers = lazyPart(() => import('./mcp-servers.tsx'), 'McpServers')

/** Health, turns over time, usage, plugins with the reasons of their states, and MCP servers. */
export const OverviewView = () => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const { has } = useAccess()
  const [range, setRange] = useState<Range>('day')
  const status = useStatus()
  const turns = useTurns(range)
  const usage = useTokenUsage()
  // Together, since each would move what is below it.
  const [kinds, outboxes, approvals] = [useJobKinds(), useOutboxes(), useApprovalCounts()]
  const isLoading = [status, turns, usage, kinds, outboxes, approvals].some(
    query => query.isLoading && query.failureCount === 0,
  )
  return (
    <OperationsPage
      view="overview"
      actions={
        <SegmentedControl
          size="xs"
          aria-label={t('range.label')}
          value={range}
          onChange={value => setRange(value as Range)}
          data={(Object.keys(ranges) as Range[]).map(value => ({ value, label: t(`range.${value}`) }))}
        />
      }
    >
      <Stack gap="md">
        {isLoading ? (
          <LoadingState />
        ) : (
          <>
            <Attention />
            <QueryStates query={status}>{data => <StatusFacts status={data} />}</QueryStates>
            <QueryStates query={turns}>
              {summary => (
                <>
                  <TurnPlots summary={summary} range={range}>
                    <DayPlot />
                  </TurnPlots>
                  <UsageTables summary={summary} range={range} />
                </>
              )}
            </QueryStates>
            {status.data && <PluginStates status={status.data} />}
            {has('mcp') && (
              <Suspense>
                <McpServers />
              </Suspense>
            )}
            <CommandHint
              title={t('overview.sameByCall')}
              commands={['operator/status', 'operator/turns', 'operator/usage'].map(path =>
                operatorCurl('GET', api.url(path)),
              )}
            />
          </>
        )}
      </Stack>
    </OperationsPage>
  )
}
