import { Anchor, Button, Group, Progress, Stack, Text } from '@mantine/core'
import { Link } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { DataTable } from '../../components/data-table.tsx'
import { Failure } from '../../components/failure.tsx'
import { Note } from '../../components/note.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { saveFile } from '../../components/save-file.ts'
import { useFormat } from '../../components/use-format.ts'
import type { Sheet } from './read-sheet-file.ts'
import type { RowIssue } from './sheet-rows.ts'
import { type Registration, type RejectedRow, useRegistration } from './use-registration.ts'
import { csvOf } from './write-sheet.ts'

/** The rows of a file that was read: their errors, their registration, and what the oracle rejected. */
export const ImportRows = ({ sheet }: { readonly sheet: Sheet }) => {
  const { t } = useTranslation('twins')
  const { number } = useFormat()
  const { good, bad, header } = sheet
  const { state, start, stop } = useRegistration(good)
  const { isRunning, done, rejected } = state
  const reasonOf = ({ column, rule, detail }: RowIssue) =>
    `${column === '' ? '' : `${column}: `}${t(`import.issues.${rule}`, { detail: detail ?? '' })}`
  const rows: readonly RejectedRow[] = [
    ...rejected,
    ...bad.map(({ row, cells, issues }) => ({ row, cells, reason: issues.map(reasonOf).join(' ') })),
  ]
  const download = () =>
    saveFile(
      csvOf([
        [...header, '_row', '_error'],
        ...rows.map(({ row, cells, reason }) => [...header.map((_, index) => cells[index] ?? ''), row, reason]),
      ]),
      'rejected.csv',
    )
  return (
    <Stack gap="sm">
      {good.length > 0 && (
        <Group gap="xs">
          {isRunning ? (
            <Button size="xs" variant="default" onClick={stop}>
              {t('import.stop')}
            </Button>
          ) : (
            done < good.length && (
              <Button size="xs" onClick={() => void start()}>
                {done > 0
                  ? t('import.continue')
                  : t('import.start', { count: good.length, shown: number(good.length) })}
              </Button>
            )
          )}
          {done > 0 && <Done state={state} all={good.length} />}
        </Group>
      )}
      {(isRunning || done > 0) && (
        <Progress value={(done / good.length) * 100} aria-label={t('import.title')} transitionDuration={0} />
      )}
      <Failure error={state.error} />
      {rows.length > 0 && (
        <>
          <Group justify="space-between">
            <Text size="sm" fw={600} component="h2">
              {t('import.rejected')}
            </Text>
            <Button size="compact-xs" variant="default" disabled={isRunning} onClick={download}>
              {t('import.download')}
            </Button>
          </Group>
          <DataTable
            label={t('import.rejected')}
            rows={rows}
            rowKey={({ row }) => String(row)}
            maxHeight="24rem"
            columns={[
              { key: 'row', header: t('import.row'), width: '5rem', cell: ({ row }) => number(row) },
              {
                key: 'content',
                header: t('import.content'),
                width: '12rem',
                wideOnly: true,
                cell: ({ cells }) => (
                  <Text size="xs" c="dimmed" truncate>
                    {cells.join(' · ').slice(0, 200)}
                  </Text>
                ),
              },
              {
                key: 'reason',
                header: t('import.reason'),
                width: '12rem',
                cell: ({ reason }) => (
                  <Text size="xs" lineClamp={2} title={reason}>
                    {reason}
                  </Text>
                ),
              },
            ]}
          />
        </>
      )}
    </Stack>
  )
}

const Done = ({ state, all }: { readonly state: Registration; readonly all: number }) => {
  const { t } = useTranslation('twins')
  const { number } = useFormat()
  const { done, rejected, waitsUntil } = state
  return (
    <>
      <Text size="sm" role="status">
        {t('import.done', {
          registered: number(done - rejected.length),
          all: number(all),
          rejected: number(rejected.length),
        })}
      </Text>
      {waitsUntil !== undefined && (
        <Note>
          {t('import.waiting')} <RelativeTime value={waitsUntil} />
        </Note>
      )}
      {done === all && (
        <Anchor size="sm" renderRoot={props => <Link to="/twins/entities" {...props} />}>
          {t('import.show')}
        </Anchor>
      )}
    </>
  )
}
