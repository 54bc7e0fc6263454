import { Group, Stack, Text } from '@mantine/core'
import { authSchemas } from '@sibyl/protocol'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { Note } from '../components/note.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { Section } from '../components/section.tsx'
import { useAccess, useApi, useConsole } from '../session/console-context.tsx'
import { ApiKeysSection } from './api-keys-section.tsx'
import { DelegationsSection } from './delegations-section.tsx'
import { ExportButton } from './export-button.tsx'
import { FilesSection } from './files-section.tsx'
import { MemorySection } from './memory-section.tsx'
import { PhonesSection } from './phones-section.tsx'
import { PreferencesSection } from './preferences-section.tsx'
import { SignInsTable } from './sign-ins-table.tsx'
import { UsageSection } from './usage-section.tsx'
import { UsersPage } from './users-page.tsx'

/** The stored data of the user, and the clients that act for them. */
export const MyDataView = () => {
  const { t } = useTranslation('users')
  const { may, has } = useAccess()
  return (
    <UsersPage title={t('mine.title')} description={t('mine.description')}>
      <Stack gap="md" maw={960}>
        {may('session/read') && <UsageSection />}
        {has('user-preferences') && may('user-preferences/read') && <PreferencesSection />}
        {has('memory') && may('memory/read') && <MemorySection />}
        {has('files') && may('files/read') && <FilesSection />}
        {has('sms') && may('sms/read') && <PhonesSection />}
        {may('sign-in/read') && <SignInsSection />}
        {may('api-key/read') && <ApiKeysSection />}
        {may('delegation/read') && <DelegationsSection />}
        <OwnDataSection />
      </Stack>
    </UsersPage>
  )
}

/** Export and erasure of everything that the oracle stores about the user. */
const OwnDataSection = () => {
  const { t } = useTranslation('users')
  const { may } = useAccess()
  const { session } = useConsole()
  const api = useApi()
  return (
    <Section title={t('own.title')} description={t('own.description')}>
      <Group gap="xs">
        {may('me/export') && <ExportButton path="/me/export" file="my-data.json" />}
        {may('me/erase') && (
          <ConfirmButton
            label={t('own.erase')}
            title={t('own.eraseTitle')}
            typed={t('own.eraseTyped')}
            color="red"
            variant="light"
            onConfirm={async () => {
              await api.delete('/me')
              await session.end()
            }}
          >
            <Text size="sm">{t('own.eraseEffect')}</Text>
            <Text size="sm">{t('typeToConfirm')}</Text>
          </ConfirmButton>
        )}
      </Group>
      {!may('me/export') && <Note>{t('own.noRight')}</Note>}
      <CommandHint commands={['GET /me/export', 'DELETE /me']} />
    </Section>
  )
}

/** The applications that act for the user. */
const SignInsSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may } = useAccess()
  const signIns = useQuery({
    queryKey: ['/oauth/sign-ins'],
    queryFn: ({ signal }) => api.get('/oauth/sign-ins', { schema: authSchemas.signInList, signal }),
  })
  return (
    <Section title={t('signIns.title')} description={t('signIns.description')}>
      <QueryStates query={signIns}>
        {({ signIns: list }) =>
          list.length === 0 ? (
            <Note>{t('signIns.none')}</Note>
          ) : (
            <SignInsTable
              signIns={list}
              {...(may('sign-in/delete') && {
                onEnd: async (id: string) => {
                  await api.delete(`/oauth/sign-ins/${encodeURIComponent(id)}`)
                  await signIns.refetch()
                },
              })}
            />
          )
        }
      </QueryStates>
      <CommandHint commands={['GET /oauth/sign-ins', 'DELETE /oauth/sign-ins/{id}']} />
    </Section>
  )
}
