import { Text } from '@mantine/core'
import { authSchemas } from '@sibyl/protocol'
import { useQueryClient } from '@tanstack/react-query'
import { useTranslation } from 'react-i18next'
import { ConfirmButton } from '../components/confirm-button.tsx'
import { useNotify } from '../components/use-notify.ts'
import { useApi } from '../session/console-context.tsx'

const pageSize = 100

/** Ends all sign-ins, API keys and grants of a person at once, such as after the loss of a phone. */
export const EndAccess = ({ did }: { readonly did: string }) => {
  const { t } = useTranslation('users')
  const api = useApi()
  const notify = useNotify()
  const queries = useQueryClient()
  /** Ends every entry of a list; each page is the first one, since its entries are gone. */
  const endAll = async (path: string, read: (body: unknown) => readonly string[]): Promise<number> => {
    let count = 0
    for (;;) {
      const entries = read(await api.get(path, { query: { as: 'operator', did, limit: pageSize } }))
      for (const id of entries) await api.delete(`${path}/${encodeURIComponent(id)}`, { query: { as: 'operator' } })
      count += entries.length
      if (entries.length < pageSize) return count
    }
  }
  return (
    <ConfirmButton
      label={t('person.end')}
      title={t('person.endTitle')}
      variant="light"
      onConfirm={async () => {
        const signIns = await endAll('/oauth/sign-ins', body => authSchemas.signInList.parse(body).signIns.map(idOf))
        const keys = await endAll('/api-keys', body => authSchemas.apiKeyList.parse(body).keys.map(idOf))
        const grants = await endAll('/grants', body => authSchemas.grantList.parse(body).grants.map(({ hash }) => hash))
        notify.done(t('person.ended', { signIns, keys, grants }))
        await queries.invalidateQueries()
      }}
    >
      <Text size="sm">{t('person.endEffect')}</Text>
    </ConfirmButton>
  )
}

const idOf = ({ id }: { readonly id: string }): string => id
