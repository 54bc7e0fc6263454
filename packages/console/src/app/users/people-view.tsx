import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { personSummary } from '@sibyl/operations/records'
import { Search, UsersRound } from 'lucide-react'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { DataTable } from '../components/data-table.tsx'
import { Note } from '../components/note.tsx'
import { PageStates } from '../components/page-states.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { RelativeTime } from '../components/relative-time.tsx'
import { EmptyState, NotAllowedState } from '../components/states.tsx'
import { useFormat } from '../components/use-format.ts'
import { usePages } from '../components/use-pages.ts'
import { useAccess } from '../session/console-context.tsx'
import { Channels } from './channels.tsx'
import { UsersPage } from './users-page.tsx'

/** The people of the oracle, for the operator: when they were active and what they used, without contents. */
export const PeopleView = () => {
  const { t } = useTranslation('users')
  return (
    <UsersPage title={t('people.title')} description={t('people.description')}>
      {useAccess().may('operator/read') ? <PeopleTable /> : <NotAllowedState ability="operator/read" />}
    </UsersPage>
  )
}

const PeopleTable = () => {
  const { t } = useTranslation('users')
  // A phone number stays out of the address and of the history.
  const [search, setSearch] = useState('')
  const [q] = useDebouncedValue(search.trim(), 400)
  const people = usePages(
    q === '' ? '/operator/people' : '/operator/people/find',
    'people',
    {},
    { schema: personSummary, itemKey: ({ did }) => did, ...(q !== '' && { body: { address: q } }) },
  )
  const { number } = useFormat()
  return (
    <>
      <TextInput
        type="search"
        label={t('people.search')}
        description={t('people.searchHint')}
        leftSection={<Search size={14} aria-hidden />}
        value={search}
        onChange={event => setSearch(event.currentTarget.value)}
        maxLength={500}
        maw={480}
      />
      <PageStates
        pages={people}
        empty={
          <EmptyState
            icon={<UsersRound size={28} aria-hidden />}
            title={t(q === '' ? 'people.none' : 'people.noneFound')}
          >
            {t(q === '' ? 'people.noneRemedy' : 'people.noneFoundRemedy')}
          </EmptyState>
        }
      >
        <DataTable
          label={t('people.title')}
          rows={people.items}
          rowKey={({ did }) => did}
          pages={people}
          columns={[
            {
              key: 'did',
              header: t('people.person'),
              cell: ({ did, names }) => <PersonLink did={did} names={names} />,
            },
            {
              key: 'channels',
              header: t('people.channels'),
              wideOnly: true,
              cell: ({ channels }) => <Channels channels={channels} />,
            },
            {
              key: 'active',
              header: t('people.lastActive'),
              width: '7rem',
              cell: ({ lastActivityAt }) => (lastActivityAt ? <RelativeTime value={lastActivityAt} /> : t('never')),
            },
            {
              key: 'first',
              header: t('people.since'),
              width: '7rem',
              wideOnly: true,
              cell: ({ firstActivityAt }) => (firstActivityAt ? <RelativeTime value={firstActivityAt} /> : '–'),
            },
            {
              key: 'sessions',
              header: t('people.sessions'),
              width: '6rem',
              wideOnly: true,
              cell: ({ sessions }) => number(sessions),
            },
            {
              key: 'tokens',
              header: t('people.tokensToday'),
              width: '9rem',
              wideOnly: true,
              cell: ({ tokensToday }) => number(tokensToday),
            },
          ]}
        />
        {people.first?.more === true && <Note>{t('people.more')}</Note>}
      </PageStates>
      <CommandHint commands={['GET /operator/people', 'POST /operator/people/find {"address":"+260971234567"}']} />
    </>
  )
}
