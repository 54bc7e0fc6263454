import { Group, Stack, Text } from '@mantine/core'
import { type OperatorAccess, operatorAccess } from '@sibyl/core/records'
import { useQuery } from '@tanstack/react-query'
import type { ReactNode } from 'react'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../components/command-hint.tsx'
import { Note } from '../components/note.tsx'
import { PersonLink } from '../components/person-link.tsx'
import { QueryStates } from '../components/query-states.tsx'
import { Section } from '../components/section.tsx'
import { useApi } from '../session/console-context.tsx'
import { Scopes } from './scopes.tsx'

/** The settings that give rights: access, controllers, the operator token, keys of the environment. */
export const OperatorsSection = () => {
  const { t } = useTranslation('users')
  const api = useApi()
  const access = useQuery({
    queryKey: ['/operator/access'],
    queryFn: ({ signal }) => api.get('/operator/access', { schema: operatorAccess, signal }),
  })
  return (
    <Section title={t('operators.title')} description={t('operators.description')}>
      <QueryStates query={access}>{settings => <Settings settings={settings} />}</QueryStates>
      <CommandHint isRemedy commands={['npx sibyl token grant did:key:z6Mk… --ability operator/read']} />
    </Section>
  )
}

const Settings = ({ settings }: { readonly settings: OperatorAccess }) => {
  const { t } = useTranslation('users')
  const { access, controllers, operatorToken, apiKeys } = settings
  return (
    <Stack gap="xs" component="dl" m={0}>
      <Fact name="ORACLE_ACCESS">
        <Text size="sm">{t(`operators.${access}`)}</Text>
      </Fact>
      <Fact name="ORACLE_CONTROLLERS">
        {controllers.length === 0 ? (
          <Note>{t('operators.noControllers')}</Note>
        ) : (
          controllers.map(did => <PersonLink key={did} did={did} />)
        )}
      </Fact>
      <Fact name="ORACLE_OPERATOR_TOKEN">
        <Text size="sm">{t(operatorToken ? 'operators.tokenSet' : 'operators.tokenUnset')}</Text>
      </Fact>
      <Fact name="ORACLE_API_KEYS">
        {apiKeys.length === 0 ? (
          <Note>{t('operators.noKeys')}</Note>
        ) : (
          apiKeys.map(({ name, scopes }, position) => (
            <Group key={`${name} ${position}`} gap="xs">
              <Text size="sm">{name}</Text>
              <Scopes scopes={scopes} />
            </Group>
          ))
        )}
      </Fact>
    </Stack>
  )
}

const Fact = ({ name, children }: { readonly name: string; readonly children: ReactNode }) => (
  <div>
    <Text size="xs" c="dimmed" ff="monospace" component="dt">
      {name}
    </Text>
    <Stack gap={2} component="dd" m={0}>
      {children}
    </Stack>
  </div>
)
