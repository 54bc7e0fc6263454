import { Badge, Button, Code, Group, Stack, Table, Tabs } from '@mantine/core'
import {
  type EntityRecord,
  entityRecord,
  type ProtocolRecord,
  protocolRecord,
  versionEntry,
} from '@sibyl/plugin-entities/records'
import { useQuery, useQueryClient } from '@tanstack/react-query'
import { Link, useParams } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { z } from 'zod'
import { mergePatchFrom } from '../../api/merge-patch.ts'
import { CopyButton } from '../../components/copy-button.tsx'
import { curl } from '../../components/curl.ts'
import { JsonView } from '../../components/json-view.tsx'
import { Note } from '../../components/note.tsx'
import { Page } from '../../components/page.tsx'
import { RelativeTime } from '../../components/relative-time.tsx'
import { Section } from '../../components/section.tsx'
import { ErrorState, LoadingState } from '../../components/states.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { EntityHistory } from '../entities/entity-history.tsx'
import { labelOf, nameOf } from '../parts/entity-label.ts'
import { NamedDid } from '../parts/links.tsx'
import { StatusBadge } from '../parts/state-badge.tsx'
import { FormPreview } from './form-preview.tsx'
import { documentOf, draftOf, type ProtocolDocument } from './protocol-draft.ts'
import { ProtocolEditor } from './protocol-editor.tsx'

/** One protocol: its form editor, its versions and its history. */
export const ProtocolView = () => {
  const { did = '' } = useParams({ strict: false }) as { readonly did?: string }
  const api = useApi()
  const { data, error, refetch } = useQuery({
    queryKey: ['entity', did],
    queryFn: ({ signal }) => api.get(`v1/entities/${encodeURIComponent(did)}`, { schema: entityRecord, signal }),
  })
  const protocol = useQuery({
    queryKey: ['protocol', did, data?.version],
    queryFn: ({ signal }) => api.get(`v1/protocols/${encodeURIComponent(did)}`, { schema: protocolRecord, signal }),
    enabled: data !== undefined,
  })
  const failure = error ?? protocol.error
  if (failure) return <ErrorState error={failure} onRetry={() => void (error ? refetch() : protocol.refetch())} />
  if (!data || !protocol.data) return <LoadingState />
  return <ShownProtocol key={`${did} ${data.version}`} entity={data} protocol={protocol.data} />
}

const ShownProtocol = ({ entity, protocol }: { readonly entity: EntityRecord; readonly protocol: ProtocolRecord }) => {
  const { t } = useTranslation('twins')
  const notify = useNotify()
  const access = useAccess()
  const api = useApi()
  const queries = useQueryClient()
  const { did, version } = protocol
  const initial = documentOfRecord(protocol)
  const path = `v1/entities/${encodeURIComponent(did)}`
  const headers = { 'if-match': `"${entity.version}"` }
  const patchTo = (document: ProtocolDocument) => {
    const changed = (name: keyof ProtocolDocument) => JSON.stringify(initial[name]) !== JSON.stringify(document[name])
    return {
      ...(changed('properties') ? { properties: mergePatchFrom(initial.properties, document.properties) } : {}),
      ...(changed('relationships')
        ? { relationships: mergePatchFrom(initial.relationships ?? {}, document.relationships ?? {}) }
        : {}),
      ...(changed('claim') ? { claim: document.claim ?? null } : {}),
      ...(changed('domainClass') && document.domainClass ? { domainClass: document.domainClass } : {}),
    }
  }
  const save = async (document: ProtocolDocument) => {
    await api.patch(path, { body: patchTo(document), headers })
    notify.done(t('protocols.saved', { version: version + 1 }))
    await Promise.all([
      queries.invalidateQueries({ queryKey: ['entity', did] }),
      queries.invalidateQueries({ queryKey: ['v1/protocols'] }),
    ])
  }
  return (
    <Page
      title={labelOf(nameOf(entity), t('protocols.protocol'), did)}
      description={
        <Group gap="xs" component="span" display="inline-flex">
          <StatusBadge status={protocol.status} />
          <span>{t('entity.version', { version })}</span>
          <span>{t('entities.controller')}</span>
          <NamedDid did={entity.controller} />
        </Group>
      }
      actions={
        <Button
          size="xs"
          variant="default"
          renderRoot={props => <Link to="/twins/entities" search={{ protocol: did }} {...props} />}
        >
          {t('protocols.showEntities')}
        </Button>
      }
    >
      <Group gap={4} wrap="nowrap">
        <Code style={{ overflowWrap: 'anywhere' }}>{did}</Code>
        <CopyButton value={did} label={t('entity.copyDid')} />
      </Group>
      <Tabs defaultValue="form" keepMounted={false}>
        <Tabs.List mb="md">
          <Tabs.Tab value="form">{t('protocols.form')}</Tabs.Tab>
          <Tabs.Tab value="versions">{t('protocols.versions')}</Tabs.Tab>
          <Tabs.Tab value="history">{t('entity.history')}</Tabs.Tab>
        </Tabs.List>
        <Tabs.Panel value="form">
          {access.may('entities/write') ? (
            <ProtocolEditor
              initial={initial}
              saveLabel={t('protocols.save', { version: version + 1 })}
              commandsFor={document => [curl('PATCH', api.url(path), patchTo(document), headers)]}
              canSave
              onSave={save}
            />
          ) : (
            <ProtocolForms document={initial} />
          )}
        </Tabs.Panel>
        <Tabs.Panel value="versions">
          <Versions did={did} />
        </Tabs.Panel>
        <Tabs.Panel value="history">
          <EntityHistory entity={entity} />
        </Tabs.Panel>
      </Tabs>
    </Page>
  )
}

/** The forms of a protocol and its JSON, for users who may not change it. */
const ProtocolForms = ({ document }: { readonly document: ProtocolDocument }) => {
  const { t } = useTranslation('twins')
  const draft = draftOf(document)
  return (
    <Stack gap="md">
      {draft && (
        <>
          <FormPreview label={t('protocols.entityForm')} fields={draft.properties} />
          <FormPreview label={t('protocols.claimForm')} fields={draft.claimProperties} />
          <Note>{t('protocols.previewNote')}</Note>
        </>
      )}
      <JsonView value={document} maxHeight={480} />
    </Stack>
  )
}

/** Returns the document in the form of the editor, so that only real changes differ. */
const documentOfRecord = ({ properties, relationships, claim, domainClass }: ProtocolRecord): ProtocolDocument => {
  const document = {
    properties,
    relationships: relationships ?? {},
    ...(claim === undefined ? {} : { claim }),
    ...(domainClass === undefined ? {} : { domainClass }),
  }
  const draft = draftOf(document)
  return draft ? documentOf(draft) : document
}

const Versions = ({ did }: { readonly did: string }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const [shown, setShown] = useState<number>()
  const path = `v1/protocols/${encodeURIComponent(did)}/versions`
  const { data, error, isPending, refetch } = useQuery({
    queryKey: ['versions', did],
    queryFn: ({ signal }) =>
      api.get(path, { schema: z.object({ versions: z.array(versionEntry) }), query: { limit: 200 }, signal }),
  })
  const version = useQuery({
    queryKey: ['versions', did, shown],
    queryFn: ({ signal }) => api.get(`${path}/${shown}`, { schema: protocolRecord, signal }),
    enabled: shown !== undefined,
    staleTime: Number.POSITIVE_INFINITY,
  })
  if (isPending) return <LoadingState />
  if (error) return <ErrorState error={error} onRetry={refetch} />
  return (
    <Stack gap="md">
      <Table aria-label={t('protocols.versions')}>
        <Table.Tbody>
          {data.versions.map(one => (
            <Table.Tr key={one.version}>
              <Table.Th scope="row" w="6rem">
                {one.version}
              </Table.Th>
              <Table.Td>
                <RelativeTime value={one.createdAt} />
              </Table.Td>
              <Table.Td>{one.retired && <Badge color="gray">{t('protocols.retired')}</Badge>}</Table.Td>
              <Table.Td ta="end">
                <Button size="compact-xs" variant="default" onClick={() => setShown(one.version)}>
                  {t('credentials.show')}
                </Button>
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
      {version.data && (
        <Section title={t('entity.version', { version: version.data.version })}>
          <JsonView value={documentOfRecord(version.data)} maxHeight={480} />
        </Section>
      )}
      {version.error && <ErrorState error={version.error} />}
    </Stack>
  )
}
