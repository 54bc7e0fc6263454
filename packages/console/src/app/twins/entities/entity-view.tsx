import { Anchor, Badge, Button, Code, Group, Stack, Tabs, Text } from '@mantine/core'
import { type EntityRecord, entityRecord } from '@sibyl/plugin-entities/records'
import { useQuery } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { CommandHint } from '../../components/command-hint.tsx'
import { CopyButton } from '../../components/copy-button.tsx'
import { curl } from '../../components/curl.ts'
import { JsonView } from '../../components/json-view.tsx'
import { Note } from '../../components/note.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { EntityClaims } from '../claims/entity-claims.tsx'
import { SubmitClaim } from '../claims/submit-claim.tsx'
import { EntityCredentials } from '../credentials/entity-credentials.tsx'
import { labelOf, nameOf } from '../parts/entity-label.ts'
import { Facts } from '../parts/facts.tsx'
import { NamedDid } from '../parts/links.tsx'
import { StatusBadge } from '../parts/state-badge.tsx'
import { ValueTable } from '../parts/value-table.tsx'
import { ChangeEntity } from './entity-forms.tsx'
import { EntityHistory } from './entity-history.tsx'

/** One entity: its data, history, claims and credentials. */
export const EntityView = () => {
  const { did = '' } = useParams({ strict: false }) as { readonly did?: string }
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: ['entity', did],
    queryFn: ({ signal }) => api.get(`v1/entities/${encodeURIComponent(did)}`, { schema: entityRecord, signal }),
  })
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return data ? <ShownEntity key={did} entity={data} /> : <LoadingState />
}

const ShownEntity = ({ entity }: { readonly entity: EntityRecord }) => {
  const { t } = useTranslation('twins')
  const access = useAccess()
  const { did, type, domainClass, status, version } = entity
  const isOwn = access.may('entities/write') && entity.controller === access.did && status === 'active'
  return (
    <Page
      title={labelOf(nameOf(entity), type, did)}
      description={
        <Group gap="xs" component="span" display="inline-flex">
          <StatusBadge status={status} />
          <span>{type}</span>
          <span>{domainClass}</span>
          <span>{t('entity.version', { version })}</span>
        </Group>
      }
      actions={
        <Group gap="xs">
          {status === 'active' && access.mayHave('claims') && access.may('claims/submit') && (
            <SubmitClaim asset={did} protocol={entity.protocol} />
          )}
          <Button
            size="xs"
            variant="default"
            renderRoot={props => <Link to="/twins/entities" search={{ view: 'graph', from: did }} {...props} />}
          >
            {t('entity.openGraph')}
          </Button>
        </Group>
      }
    >
      <Group gap={4} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{did}</Code>
        <CopyButton value={did} label={t('entity.copyDid')} />
      </Group>
      <Tabs defaultValue="data" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="data">{t('entity.data')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('entity.history')}</Tabs.Tab>
          {access.mayHave('claims') && access.may('claims/read') && (
            <Tabs.Tab value="claims">{t('claims.title')}</Tabs.Tab>
          )}
          {access.mayHave('credentials') && access.may('credentials/read') && (
            <Tabs.Tab value="credentials">{t('credentials.title')}</Tabs.Tab>
          )}
          {isOwn && <Tabs.Tab value="change">{t('entity.change')}</Tabs.Tab>}
          <Tabs.Tab value="record">{t('entity.record')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="data">
          <EntityData entity={entity} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <EntityHistory entity={entity} />
        </Tabs.Panel>
        <Tabs.Panel value="claims">
          <EntityClaims asset={did} />
        </Tabs.Panel>
        <Tabs.Panel value="credentials">
          <EntityCredentials subject={did} />
        </Tabs.Panel>
        <Tabs.Panel value="change">
          <ChangeEntity entity={entity} />
        </Tabs.Panel>
        <Tabs.Panel value="record">
          <RecordOf entity={entity} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

const EntityData = ({ entity }: { readonly entity: EntityRecord }) => {
  const { t } = useTranslation('twins')
  const relationships = Object.entries(entity.relationships).flatMap(([name, targets]) =>
    [targets].flat().map(target => [name, target] as const),
  )
  return (
    <Stack gap="md">
      <Section title={t('entity.facts')}>
        <Facts
          facts={[
            [t('entities.controller'), <NamedDid key="controller" did={entity.controller} />],
            [
              t('entity.offeredTo'),
              entity.pendingController === undefined ? undefined : <NamedDid did={entity.pendingController} />,
            ],
            [
              t('entities.protocol'),
              entity.protocol === undefined ? undefined : (
                <>
                  <NamedDid did={entity.protocol} /> {t('entity.version', { version: entity.protocolVersion ?? 1 })}
                </>
              ),
            ],
            [t('entity.created'), <RelativeTime key="created" value={entity.createdAt} />],
            [t('entities.updated'), <RelativeTime key="updated" value={entity.updatedAt} />],
            [t('entity.aliases'), entity.alsoKnownAs.length > 0 ? entity.alsoKnownAs.join(', ') : undefined],
          ]}
        />
      </Section>
      <Section title={t('entity.properties')}>
        {Object.keys(entity.properties).length > 0 ? (
          <ValueTable values={entity.properties} label={t('entity.properties')} />
        ) : (
          <Note>{t('entity.noProperties')}</Note>
        )}
      </Section>
      {relationships.length > 0 && (
        <Section title={t('entity.relationships')}>
          <Stack gap={4}>
            {relationships.map(([name, target]) => (
              <Group key={`${name} ${target}`} gap="xs">
                <Text size="sm" c="dimmed" w="10rem">
                  {name}
                </Text>
                <NamedDid did={target} />
              </Group>
            ))}
          </Stack>
        </Section>
      )}
      {entity.services.length > 0 && (
        <Section title={t('entity.services')}>
          <Stack gap={4}>
            {entity.services.map(({ id, type, endpoint }) => (
              <Group key={id} gap="xs">
                <Text size="sm" c="dimmed" w="10rem">
                  {type} {id}
                </Text>
                <Code>{endpoint}</Code>
              </Group>
            ))}
          </Stack>
        </Section>
      )}
      {entity.verifiableCredential.length > 0 && (
        <Section title={t('credentials.title')}>
          <Stack gap={4}>
            {entity.verifiableCredential.map(({ id, type, issuer, verified }) => (
              <Group key={`${id} ${type} ${issuer}`} gap="xs">
                <Text size="sm" fw={500}>
                  {type}
                </Text>
                <NamedDid did={issuer} />
                {verified === false && <Badge variant="default">{t('credentials.notVerified')}</Badge>}
              </Group>
            ))}
          </Stack>
        </Section>
      )}
    </Stack>
  )
}

const RecordOf = ({ entity }: { readonly entity: EntityRecord }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const path = `v1/entities/${encodeURIComponent(entity.did)}`
  const document = api.url(`1.0/identifiers/${encodeURIComponent(entity.did)}`)
  return (
    <Stack gap="md">
      <JsonView value={entity} maxHeight={480} />
      <Text size="sm">
        {t('entity.publicDocument')}{' '}
        <Anchor href={document} target="_blank" rel="noreferrer" size="sm">
          {t('entity.didDocument')}
        </Anchor>
      </Text>
      <CommandHint
        commands={[
          curl('GET', api.url(path)),
          curl('PATCH', api.url(path), { properties: { note: '…' } }, { 'if-match': `"${entity.version}"` }),
        ]}
      />
    </Stack>
  )
}
