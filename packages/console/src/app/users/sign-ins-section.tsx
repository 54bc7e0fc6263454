import { authSchemas } from '@sibyl/protocol'
import { useQuery } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { Note } from '../components/note.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { Section } from '../components/section.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { SignInsTable } from './sign-ins-table.tsx'

/** The applications that act for the user. */
export const SignInsSection = () => {
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
