import { Select, Stack } from '@mantine/core'
import { type EntityRecord, entityRecord, type ProtocolRecord } from '@sibyl/plugin-entities/records'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import type { TFunction } from 'i18next'
import { useEffect, useMemo, useRef, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { mergePatchFrom } from '../../api/merge-patch.ts'
import { ConfirmButton } from '../../components/confirm-button.tsx'
import type { Schema } from '../../components/form-fields.ts'
import { FormButton, SchemaForm } from '../../components/schema-form.tsx'
import { LoadingState } from '../../components/states.tsx'
import { useNotify } from '../../components/use-notify.ts'
import { usePages } from '../../components/use-pages.ts'
import { useApi } from '../../session/console-context.tsx'
import { labelOf, nameOf } from '../parts/entity-label.ts'
import { schemaOfRules } from '../parts/schema-of-rules.ts'
import { useProtocol } from '../parts/use-protocol.ts'

/** Members that an entity without a protocol is asked for. */
const plain = { name: 'string', location: 'object' }

/** Returns the JSON Schema of an entity that is registered, with the fields of its protocol. */
export const entitySchema = (
  protocol: Pick<ProtocolRecord, 'properties' | 'relationships'> | undefined,
  t: TFunction<'twins'>,
): Schema => {
  const kinds = Object.entries(protocol?.relationships ?? {})
  return {
    type: 'object',
    required: ['type', 'properties'],
    properties: {
      type: { type: 'string', title: t('entities.type') },
      properties: { title: t('entity.properties'), ...schemaOfRules(protocol?.properties ?? plain) },
      ...(kinds.length > 0 && {
        relationships: {
          type: 'object',
          title: t('entity.relationships'),
          properties: Object.fromEntries(
            kinds.map(([name, kind]) => [name, { type: 'string', description: `${kind}: did:web:…` }]),
          ),
        },
      }),
    },
  }
}

/** Registers an entity, with the fields of the protocol that the user chooses. */
export const RegisterEntity = () => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const navigate = useNavigate()
  const queries = useQueryClient()
  const [chosen, setChosen] = useState<string | null>(null)
  const protocol = useProtocol(chosen ?? undefined)
  const schema = useMemo(() => entitySchema(protocol, t), [protocol, t])
  return (
    <FormButton
      label={t('entities.register')}
      schema={schema}
      draft={`entity ${chosen ?? ''}`}
      isReady={chosen === null || protocol !== undefined}
      onSubmit={async values => {
        const body = { ...values, ...(chosen === null ? {} : { protocol: chosen }) }
        const { did } = await api.post('v1/entities', { schema: entityRecord, body })
        await queries.invalidateQueries({ queryKey: ['v1/entities'] })
        void navigate({ to: '/twins/entities/$did', params: { did } })
      }}
    >
      <ProtocolSelect value={chosen} onChange={setChosen} />
    </FormButton>
  )
}

interface ProtocolSelectProps {
  readonly value: string | null
  readonly onChange: (did: string | null) => void
}

/** The choice of a protocol; the only one is chosen. A part of its own, since the list is read when the form opens. */
export const ProtocolSelect = ({ value, onChange }: ProtocolSelectProps) => {
  const { t } = useTranslation('twins')
  const { items, hasMore } = usePages(
    'v1/entities',
    'entities',
    { type: 'Protocol', status: 'active', limit: 100 },
    { schema: entityRecord, itemKey: ({ did }) => did },
  )
  const only = items.length === 1 && !hasMore ? items[0]?.did : undefined
  const isOffered = useRef(false)
  useEffect(() => {
    if (only === undefined || isOffered.current) return
    isOffered.current = true
    if (value === null) onChange(only)
  }, [only, value, onChange])
  return (
    <Select
      size="xs"
      label={t('entities.protocol')}
      allowDeselect={false}
      clearable
      searchable
      value={value}
      onChange={onChange}
      data={items.map(one => ({ value: one.did, label: labelOf(nameOf(one), one.type, one.did) }))}
    />
  )
}

/** Changes the properties of an entity, or deactivates it. */
export const ChangeEntity = ({ entity }: { readonly entity: EntityRecord }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const notify = useNotify()
  const queries = useQueryClient()
  const { did, version, properties } = entity
  const protocol = useProtocol(entity.protocol)
  const schema = useMemo(() => {
    const own = Object.entries(properties).map(([name, value]) => [name, { type: kindOf(value) }])
    return schemaOfRules({ ...Object.fromEntries(own), ...protocol?.properties })
  }, [properties, protocol])
  if (entity.protocol !== undefined && !protocol) return <LoadingState />
  const path = `v1/entities/${encodeURIComponent(did)}`
  const headers = { 'if-match': `"${version}"` }
  const changed = async (message: string) => {
    notify.done(message)
    await Promise.all(['entity', 'v1/entities'].map(key => queries.invalidateQueries({ queryKey: [key] })))
  }
  return (
    <Stack gap="md" maw="40rem">
      <SchemaForm
        key={version}
        schema={schema}
        draft={`entity ${did} ${version}`}
        initial={properties}
        submitLabel={t('entity.save')}
        onSubmit={async values => {
          await api.patch(path, { body: { properties: mergePatchFrom(properties, values) }, headers })
          await changed(t('entity.saved'))
        }}
      />
      <ConfirmButton
        label={t('entity.deactivate')}
        title={t('entity.deactivateTitle')}
        style={{ alignSelf: 'flex-start' }}
        onConfirm={async () => {
          await api.delete(path, { headers })
          await changed(t('entity.deactivated'))
        }}
      />
    </Stack>
  )
}

const kindOf = (value: unknown): string =>
  ['string', 'number', 'boolean'].includes(typeof value) ? typeof value : 'array'
