import { Button, FileButton, FileInput, Select } from '@mantine/core'
import { useMediaQuery } from '@mantine/hooks'
import { claimRecord, collectionRecord } from '@sibyl/plugin-claims/records'
import { useNavigate } from '@tanstack/react-router'
import { Camera } from 'lucide-react'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { ApiClient } from '../../api/api-client.ts'
import { isObject } from '../../api/is-object.ts'
import { storeFile } from '../../api/store-file.ts'
import { FormButton } from '../../components/schema-form.tsx'
import { usePages } from '../../components/use-pages.ts'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { schemaOfRules } from '../parts/schema-of-rules.ts'
import { useProtocol } from '../parts/use-protocol.ts'

/** Submits a claim about an entity to one of the collections that accept it, with the fields of the protocol. */
export const SubmitClaim = ({
  asset,
  protocol: followed,
}: {
  readonly asset: string
  readonly protocol: string | undefined
}) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const navigate = useNavigate()
  const [asked, setAsked] = useState<string | null>(null)
  const [isAsked, setAsking] = useState(false)
  const [files, setFiles] = useState<File[]>([])
  const access = useAccess()
  const isStored = access.has('files') && access.may('files/write')
  const hasCamera = useMediaQuery('(pointer: coarse)')
  const collections = usePages(
    'v1/collections',
    'collections',
    { limit: 100 },
    { schema: collectionRecord, enabled: isAsked },
  )
  const open = collections.items.filter(
    ({ closed, protocol }) => !closed && (protocol === undefined || protocol === followed),
  )
  const collection = open.find(({ id }) => id === asked) ?? open[0]
  const rules = useProtocol(isAsked ? followed : undefined)
  const schema = useMemo(() => {
    const { properties } = isObject(rules?.claim) ? rules.claim : {}
    const data = isObject(properties) ? schemaOfRules(properties) : { type: 'array' }
    return {
      type: 'object',
      required: ['data'],
      properties: {
        type: { type: 'string', title: t('claims.kind'), default: 'claim' },
        data: { title: t('claims.data'), ...data },
      },
    }
  }, [rules, t])
  return (
    <FormButton
      label={t('claims.submit')}
      variant="filled"
      onOpen={() => setAsking(true)}
      schema={schema}
      draft={`claim ${asset}`}
      isReady={collection !== undefined && (followed === undefined || rules !== undefined)}
      onSubmit={async values => {
        const evidence = await Promise.all(files.map(file => evidenceOf(file, isStored ? api : undefined)))
        const body = { ...values, collection: collection?.id, asset, evidence }
        const { id } = await api.post('v1/claims', { schema: claimRecord, body })
        void navigate({ to: '/twins/claims/$id', params: { id } })
      }}
    >
      <Select
        size="xs"
        label={t('claims.collection')}
        required
        allowDeselect={false}
        value={collection?.id ?? null}
        onChange={setAsked}
        data={open.map(({ id, title }) => ({ value: id, label: title }))}
        {...(open.length === 0 && !collections.isLoading ? { error: t('claims.noCollection') } : {})}
      />
      <FileInput
        size="xs"
        label={t('claims.files')}
        description={t(isStored ? 'claims.filesStored' : 'claims.filesHint')}
        multiple
        clearable
        clearButtonProps={{ 'aria-label': t('claims.noFiles') }}
        value={files}
        onChange={setFiles}
      />
      {hasCamera && (
        <FileButton accept="image/*" capture="environment" onChange={file => file && setFiles([...files, file])}>
          {props => (
            <Button {...props} size="xs" variant="default" leftSection={<Camera size={14} aria-hidden />}>
              {t('claims.photo')}
            </Button>
          )}
        </FileButton>
      )}
    </FormButton>
  )
}

/**
 * Returns the hash and the name of a file. With a client it is stored among the files of the user, and readers of the claim get it by
 * its address; without one it stays on this device.
 */
const evidenceOf = async (file: File, api: ApiClient | undefined) => {
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', await file.arrayBuffer()))
  const hash = [...digest].map(byte => byte.toString(16).padStart(2, '0')).join('')
  const name = file.name.slice(-200)
  // The same file has the same path, so that a form that is sent again stores it once.
  const path = `claims/${hash.slice(0, 12)}-${name.slice(-100)}`
  if (api) await storeFile(api, path, file)
  return {
    hash: `sha256:${hash}`,
    mediaType: file.type === '' ? 'application/octet-stream' : file.type,
    name,
    ...(api && { url: api.url('/files/content', { path }) }),
  }
}
