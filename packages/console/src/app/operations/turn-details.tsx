import { Anchor, Group, Stack, Text } from '@mantine/core'
import type { Trace } from '@sibyl/operations/records'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { Note } from '../components/note.tsx'
import { PageStates } from '../components/page-states.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { Section } from '../components/section.tsx'
import { EmptyState } from '../components/states.tsx'
import { type TurnSearch, useTraces } from '../components/turn-table.tsx'
import { isFailedSpan, TurnTimes } from '../components/turn-times.tsx'
import { LogLine } from './log-line.tsx'
import { useLiveLog } from './use-live-log.ts'

/** A turn with its calls, tokens, cost and log lines. */
export const TurnDetails = ({ search }: { readonly search: TurnSearch & { readonly turn: string } }) => {
  const { t } = useTranslation('operations')
  const { turn, from, to } = search
  const pages = useTraces({ turn, from, to })
  return (
    <Stack gap="md" maw={960}>
      <Anchor size="sm" renderRoot={props => <Link to="/operations/turns" {...props} />}>
        {t('turns.back')}
      </Anchor>
      <PageStates pages={pages} empty={<EmptyState title={t('turns.gone')}>{t('turns.goneRemedy')}</EmptyState>}>
        {pages.items.map(one => (
          <TurnFacts key={one.turnId} turn={one} />
        ))}
      </PageStates>
      <TurnLog turn={turn} />
    </Stack>
  )
}

const TurnFacts = ({ turn }: { readonly turn: Trace }) => {
  const { t } = useTranslation('operations')
  const failed = turn.spans.filter(span => span.kind === 'tool' && isFailedSpan(span))
  return (
    <Stack gap="xs">
      <Group gap="sm">
        <PersonLink did={turn.did} />
        <Text size="sm">{turn.channel}</Text>
        {turn.sessionId !== undefined && (
          <Anchor
            size="sm"
            renderRoot={props => <Link to={`/chat/${encodeURIComponent(turn.sessionId ?? '')}`} {...props} />}
          >
            {t('turns.conversation')}
          </Anchor>
        )}
      </Group>
      {failed.length > 0 && (
        <Text size="sm" c="red">
          {t('turns.failedCalls', {
            calls: failed.map(({ name, outcome, code = outcome }) => `${name} (${code})`).join(', '),
          })}
        </Text>
      )}
      <TurnTimes turn={turn} />
    </Stack>
  )
}

const TurnLog = ({ turn }: { readonly turn: string }) => {
  const { t } = useTranslation('operations')
  const { entries } = useLiveLog({ level: 'trace', text: turn }, false)
  const lines = entries.flatMap(entry => ('line' in entry ? [entry] : []))
  return (
    <Section title={t('log.lines')} description={t('log.description')}>
      {lines.length === 0 ? (
        <Note>{t('turns.noLines')}</Note>
      ) : (
        <div>
          {lines.map(({ key, line }) => (
            <LogLine key={key} line={line} />
          ))}
        </div>
      )}
    </Section>
  )
}
