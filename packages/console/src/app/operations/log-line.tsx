import { Box, Button, Group, Text, UnstyledButton } from '@mantine/core'
import type { LogLineRecord } from '@sibyl/operations/records'
import { Link } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { JsonView } from '../components/json-view.tsx'
import { turnPath } from '../components/turn-table.tsx'
import { useFormat } from '../components/use-format.ts'

/** Colors of levels on light and on dark; all pass WCAG AA. */
const colors = {
  trace: 'var(--mantine-color-dimmed)',
  debug: 'var(--mantine-color-dimmed)',
  info: 'light-dark(var(--mantine-color-teal-9), var(--mantine-color-teal-3))',
  warn: 'light-dark(#a63c00, var(--mantine-color-orange-3))',
  error: 'light-dark(var(--mantine-color-red-9), var(--mantine-color-red-3))',
} as const

/** A line of the log; its fields are shown when it is opened. */
export const LogLine = ({
  line,
  onFilter,
}: {
  readonly line: LogLineRecord
  /** Called with the ID of the turn, job or request whose lines are to be shown. */
  readonly onFilter?: (text: string) => void
}) => {
  const { t } = useTranslation('operations')
  const format = useFormat()
  const [isOpen, setOpen] = useState(false)
  const { time, level, message, plugin, fields } = line
  const at = new Date(time)
  const hasFields = Object.keys(fields).length > 0
  return (
    <Box px="xs" style={{ borderBottom: '1px solid var(--mantine-color-default-border)' }}>
      <UnstyledButton
        w="100%"
        aria-expanded={hasFields ? isOpen : undefined}
        title={hasFields ? t('log.fields') : undefined}
        onClick={() => setOpen(!isOpen)}
        style={{ display: 'flex', gap: 8, alignItems: 'baseline', minHeight: 25 }}
      >
        <Text span size="xs" c="dimmed" ff="monospace" title={at.toISOString()} style={{ flexShrink: 0 }}>
          {format.time(at.getTime())}
        </Text>
        <Text span size="xs" ff="monospace" fw={600} w="2.8rem" style={{ flexShrink: 0, color: colors[level] }}>
          {level}
        </Text>
        {plugin !== undefined && (
          <Text span size="xs" c="dimmed" ff="monospace" visibleFrom="xs" style={{ flexShrink: 0 }}>
            {plugin}
          </Text>
        )}
        <Text span size="xs" flex={1} miw={0} truncate={!isOpen}>
          {message}
          {!isOpen && hasFields && (
            <Text span inherit c="dimmed" ff="monospace" ml={8}>
              {summaryOf(fields)}
            </Text>
          )}
        </Text>
      </UnstyledButton>
      {isOpen && hasFields && (
        <Box pb={6}>
          {onFilter && (
            <Group gap={4}>
              {(['turn', 'jobId', 'requestId'] as const).map(name => {
                const id = fields[name]
                return (
                  typeof id === 'string' && (
                    <Button key={name} size="compact-xs" variant="subtle" onClick={() => onFilter(id)}>
                      {t(`log.of.${name}`)}
                    </Button>
                  )
                )
              })}
              {typeof fields.turn === 'string' && (
                <Button
                  size="compact-xs"
                  variant="subtle"
                  renderRoot={props => <Link to={turnPath(String(fields.turn), dayBefore(at), dayMs)} {...props} />}
                >
                  {t('turns.details')}
                </Button>
              )}
            </Group>
          )}
          <JsonView value={fields} maxHeight={240} />
        </Box>
      )}
    </Box>
  )
}

const dayMs = 86_400_000

const dayBefore = (at: Date): string => new Date(at.getTime() - dayMs).toISOString()

const summaryOf = (fields: Readonly<Record<string, unknown>>): string =>
  Object.entries(fields)
    .map(([key, value]) => `${key}=${typeof value === 'string' ? value : JSON.stringify(value)}`)
    .join(' ')
    .slice(0, 300)
