import { Group, NumberInput, Select, type SelectProps, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { personSummary, traceResult } from '@sibyl/operations/records'
import { useQuery } from '@tanstack/react-query'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { CommandHint } from '../components/command-hint.tsx'
import { operatorCurl } from '../components/curl.ts'
import { shortDid } from '../components/did.tsx'
import { usePersonNames } from '../components/person-names.tsx'
import { oneOf, readTexts } from '../components/read-search.ts'
import { type TurnSearch, TurnTable, turnFilters, useTraces } from '../components/turn-table.tsx'
import { useApi } from '../session/console-context.tsx'
import { OperationsPage } from './operations-page.tsx'
import { TurnDetails } from './turn-details.tsx'
import { type Range, ranges, useTurns } from './turns-summary.ts'

const periods = [...(Object.keys(ranges) as Range[]), 'all', 'times'] as const

/** The turns of all users with filters, or one of them. */
export const TurnsView = () => {
  const search = readTexts(useSearch({ strict: false }), turnFilters)
  const { turn } = search
  return (
    <OperationsPage view="turns">
      {turn === undefined ? <Turns search={search} /> : <TurnDetails key={turn} search={{ ...search, turn }} />}
    </OperationsPage>
  )
}

const Turns = ({ search }: { readonly search: TurnSearch }) => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const { range: _, turn: __, from, to, ...filters } = search
  const range = oneOf(search.range, periods) ?? 'day'
  const times = useMemo(() => {
    if (range === 'times') return { from, to }
    return range === 'all' ? {} : { from: new Date(Date.now() - ranges[range].seconds * 1_000).toISOString() }
  }, [range, from, to])
  const query = { ...times, ...filters }
  const turns = useTraces(query)
  return (
    <>
      <Filters search={search} range={range} />
      <TurnTable turns={turns} hasPerson />
      <CommandHint
        title={t('overview.sameByCall')}
        commands={[operatorCurl('GET', api.url('operator/traces', query))]}
      />
    </>
  )
}

const Filters = ({ search, range }: { readonly search: TurnSearch; readonly range: (typeof periods)[number] }) => {
  const { t } = useTranslation('operations')
  const navigate = useNavigate()
  const summary = useTurns(range === 'all' || range === 'times' ? 'month' : range).data
  const change = (next: { readonly [Name in keyof TurnSearch]: string | null | undefined }) =>
    void navigate({
      to: '/operations/turns',
      search: Object.fromEntries(Object.entries({ ...search, ...next }).filter(([, value]) => Boolean(value))),
      replace: true,
    })
  const choice = (
    name: 'channel' | 'model' | 'tool' | 'code',
    known: readonly string[] | undefined,
  ): Omit<SelectProps, 'size'> => ({
    label: t(`turns.${name}`),
    w: '8rem',
    clearable: true,
    searchable: true,
    value: search[name] ?? null,
    data: [...new Set([...(known ?? []), ...(search[name] === undefined ? [] : [search[name]])])],
    onChange: value => change({ [name]: value }),
  })
  const hasCost = summary?.totals.cost !== undefined || search.minCost !== undefined
  return (
    <Group gap="xs" align="flex-end">
      <Select
        size="xs"
        label={t('turns.period')}
        w="7.5rem"
        allowDeselect={false}
        value={range}
        data={periods.map(value => ({
          value,
          label: t(value === 'all' || value === 'times' ? `turns.periods.${value}` : `range.${value}`),
        }))}
        onChange={value => change({ range: value })}
      />
      {range === 'times' &&
        (['from', 'to'] as const).map(name => (
          <TextInput
            key={name}
            size="xs"
            type="datetime-local"
            label={t(`turns.${name}`)}
            defaultValue={localTime(search[name])}
            onChange={event => change({ [name]: isoTime(event.currentTarget.value) })}
          />
        ))}
      <PersonChoice value={search.person} onChange={person => change({ person })} />
      <Select
        size="xs"
        label={t('turns.result')}
        w="8rem"
        clearable
        value={search.result ?? null}
        data={traceResult.options.map(value => ({ value, label: t(`turns.results.${value}`) }))}
        onChange={result => change({ result })}
      />
      <Select
        size="xs"
        {...choice(
          'tool',
          summary?.tools.map(({ tool }) => tool),
        )}
      />
      <Select
        size="xs"
        {...choice(
          'code',
          summary?.errors.map(({ code }) => code),
        )}
      />
      <Select
        size="xs"
        {...choice(
          'channel',
          summary?.channels.map(({ channel }) => channel),
        )}
      />
      <Select
        size="xs"
        {...choice(
          'model',
          summary?.models.map(({ model }) => model),
        )}
      />
      {hasCost && (
        <NumberInput
          size="xs"
          label={t('turns.minCost')}
          w="7rem"
          min={0}
          hideControls
          value={search.minCost ?? ''}
          onChange={value => change({ minCost: String(value) })}
        />
      )}
    </Group>
  )
}

/** Chooses a person by name, phone number or DID. */
const PersonChoice = ({
  value,
  onChange,
}: {
  readonly value: string | undefined
  readonly onChange: (did: string | null) => void
}) => {
  const { t } = useTranslation('operations')
  const api = useApi()
  const [typed, setTyped] = useState('')
  const [address] = useDebouncedValue(typed.trim(), 400)
  const known = usePersonNames(value ?? '')
  const found = useQuery({
    queryKey: ['/operator/people/find', address],
    queryFn: ({ signal }) => api.post('/operator/people/find', { schema: foundPeople, body: { address }, signal }),
    enabled: address !== '',
  })
  const people = new Map(
    (found.data?.people ?? []).map(({ did, names }) => [did, `${names[0]?.name ?? ''} …${did.slice(-6)}`.trim()]),
  )
  if (value !== undefined) people.set(value, known[0]?.name ?? shortDid(value))
  return (
    <Select
      size="xs"
      label={t('turns.person')}
      placeholder={t('turns.personHint')}
      w="10rem"
      clearable
      searchable
      value={value ?? null}
      data={[...people].map(([did, label]) => ({ value: did, label }))}
      // The oracle searches, also by phone numbers, which no label has.
      filter={({ options }) => options}
      nothingFoundMessage={address === '' || found.isFetching ? undefined : t('turns.noPerson')}
      onSearchChange={setTyped}
      onChange={onChange}
    />
  )
}

const foundPeople = z.object({ people: z.array(personSummary) })

/** Returns the value of an input for a time, in the time zone of the browser. */
const localTime = (iso: string | undefined): string => {
  const at = iso === undefined ? Number.NaN : Date.parse(iso)
  return Number.isNaN(at) ? '' : new Date(at - new Date(at).getTimezoneOffset() * 60_000).toISOString().slice(0, 16)
}

const isoTime = (local: string): string | undefined => {
  const at = new Date(local)
  return Number.isNaN(at.getTime()) ? undefined : at.toISOString()
}
