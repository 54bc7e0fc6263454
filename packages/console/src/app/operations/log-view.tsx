import { Badge, Button, Group, Select, Text, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { Pause, Play, ScrollText } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { operatorCurl } from '../components/curl.ts'
import { EmptyState, ErrorState } from '../components/states.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { LogLine } from './log-line.tsx'
import { OperationsPage } from './operations-page.tsx'
import { type LogEntry, useLiveLog } from './use-live-log.ts'
import { useStatus } from './use-status.ts'

const levels = ['trace', 'debug', 'info', 'warn', 'error'] as const

/** The live log of the process that answers, with filters. */
export const LogView = () => {
  const { t } = useTranslation('operations')
  const { t: common } = useTranslation()
  const api = useApi()
  const [asked] = useState(() => new URLSearchParams(location.search))
  const [level, setLevel] = useState<string>(() => levels.find(one => one === asked.get('level')) ?? 'info')
  const [plugin, setPlugin] = useState(() => asked.get('plugin'))
  const [typed, setTyped] = useState(() => asked.get('text')?.slice(0, 200) ?? '')
  const [text] = useDebouncedValue(typed, 400)
  const [isPaused, setPaused] = useState(false)
  const { may } = useAccess()
  const status = useStatus()
  const filters = { level, text, ...(plugin === null ? {} : { plugin }) }
  const { entries, error, isConnected, clear } = useLiveLog(filters, isPaused || !may('operator/read'))
  const plugins = (status.data?.plugins ?? []).filter(({ state }) => state !== 'excluded').map(({ name }) => name)
  return (
    <OperationsPage view="log">
      <Group gap="xs" align="flex-end">
        <Select
          size="xs"
          label={t('log.level')}
          w={110}
          allowDeselect={false}
          value={level}
          onChange={value => setLevel(value ?? 'info')}
          data={levels.map(value => ({ value, label: value }))}
        />
        <Select
          size="xs"
          label={t('log.plugin')}
          w={160}
          placeholder={t('log.allPlugins')}
          clearable
          clearButtonProps={{ 'aria-label': t('log.allPlugins') }}
          searchable
          value={plugin}
          onChange={setPlugin}
          data={[...new Set(plugins)]}
        />
        <TextInput
          size="xs"
          label={t('log.text')}
          flex={1}
          miw={140}
          maxLength={200}
          value={typed}
          onChange={event => setTyped(event.currentTarget.value)}
        />
        <Button
          size="xs"
          variant="default"
          leftSection={isPaused ? <Play size={14} aria-hidden /> : <Pause size={14} aria-hidden />}
          onClick={() => setPaused(!isPaused)}
        >
          {t(isPaused ? 'log.continue' : 'log.pause')}
        </Button>
        <Button size="xs" variant="default" onClick={clear}>
          {common('action.clear')}
        </Button>
        <Badge
          variant="dot"
          color={isPaused ? 'gray' : isConnected ? 'teal' : 'orange'}
          tt="none"
          fw={500}
          role="status"
          my={5}
        >
          {t(isPaused ? 'log.paused' : isConnected ? 'log.live' : 'log.connecting')}
        </Badge>
      </Group>
      {error !== undefined && entries.length === 0 ? (
        <ErrorState error={error} />
      ) : entries.length === 0 ? (
        <EmptyState icon={<ScrollText size={28} aria-hidden />} title={t('log.empty')}>
          {t('log.emptyRemedy')}
        </EmptyState>
      ) : (
        <LogLines entries={entries} isPaused={isPaused} onFilter={setTyped} />
      )}
      <CommandHint
        title={t('overview.sameByCall')}
        commands={[operatorCurl('GET', api.url('operator/log', { level }), undefined, { isStream: true })]}
      />
    </OperationsPage>
  )
}

/** Draws the visible lines, and follows the end as long as the user is there. */
const LogLines = ({
  entries,
  isPaused,
  onFilter,
}: {
  readonly entries: readonly LogEntry[]
  readonly isPaused: boolean
  readonly onFilter: (text: string) => void
}) => {
  const { t } = useTranslation('operations')
  const viewport = useRef<HTMLDivElement>(null)
  const isAtEnd = useRef(true)
  const virtual = useVirtualizer({
    count: entries.length,
    getScrollElement: () => viewport.current,
    estimateSize: () => 26,
    getItemKey: index => entries[index]?.key ?? index,
    overscan: 20,
  })
  useEffect(() => {
    if (isAtEnd.current && !isPaused) virtual.scrollToIndex(entries.length - 1, { align: 'end' })
  }, [entries.length, isPaused, virtual])
  return (
    <section
      ref={viewport}
      aria-label={t('log.title')}
      // biome-ignore lint/a11y/noNoninteractiveTabindex: a region that scrolls is reached by keyboard
      tabIndex={0}
      onScroll={({ currentTarget: { scrollTop, scrollHeight, clientHeight } }) => {
        isAtEnd.current = scrollHeight - scrollTop - clientHeight < 40
      }}
      style={{
        height: 'max(16rem, calc(100dvh - 21rem))',
        overflow: 'auto',
        border: '1px solid var(--mantine-color-default-border)',
        borderRadius: 'var(--mantine-radius-sm)',
      }}
    >
      <div style={{ height: virtual.getTotalSize(), position: 'relative' }}>
        {virtual.getVirtualItems().map(item => {
          const entry = entries[item.index]
          if (entry === undefined) return null
          return (
            <div
              key={item.key}
              ref={virtual.measureElement}
              data-index={item.index}
              style={{ position: 'absolute', insetInline: 0, top: 0, transform: `translateY(${item.start}px)` }}
            >
              {'line' in entry ? (
                <LogLine line={entry.line} onFilter={onFilter} />
              ) : (
                <Text size="xs" c="dimmed" ta="center" py={4}>
                  {entry.missed === 'restart' ? t('log.restart') : t('log.missed', { count: entry.missed })}
                </Text>
              )}
            </div>
          )
        })}
      </div>
    </section>
  )
}
