import { authSchemas } from '@sibyl/protocol'
import { useTranslation } from 'react-i18next'
import { Note } from '../components/note.tsx'
import { PageStates } from '../components/page-states.tsx'
import { useAccess, useApi } from '../session/console-context.tsx'
import { SignInsTable } from './sign-ins-table.tsx'
import { useAfterPages } from './use-after-pages.ts'

/** The applications that act for users, for the operator: of all users, or of one. */
export const OperatorSignIns = ({
  did,
  onlyOperators = false,
}: {
  readonly did?: string
  /** Only those with abilities of the operator. */
  readonly onlyOperators?: boolean
}) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const { may } = useAccess()
  const list = useAfterPages('/oauth/sign-ins', 'signIns', {
    schema: authSchemas.signInList.shape.signIns.element,
    keyOf: ({ id }) => id,
    query: { as: 'operator', did, rights: onlyOperators ? 'operator' : undefined },
  })
  return (
    <PageStates pages={list} empty={<Note>{t('signIns.noneOf')}</Note>}>
      <SignInsTable
        signIns={list.items}
        ofOthers
        showsPerson={did === undefined}
        pages={list}
        {...(may('operator/write') && {
          onEnd: async (id: string) => {
            await api.delete(`/oauth/sign-ins/${encodeURIComponent(id)}`, { query: { as: 'operator' } })
            list.refetch()
          },
        })}
      />
    </PageStates>
  )
}
