import { TextInput } from '@mantine/core'
import { entityRecord } from '@sibyl/plugin-entities/records'
import { useQueryClient } from '@tanstack/react-query'
import { useNavigate } from '@tanstack/react-router'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { curl } from '../../components/curl.ts'
import { Page } from '../../components/page.tsx'
import { useAccess, useApi } from '../../session/console-context.tsx'
import type { ProtocolDocument } from './protocol-draft.ts'
import { ProtocolEditor } from './protocol-editor.tsx'

const nothing: ProtocolDocument = { properties: {}, relationships: {} }

export const NewProtocolView = () => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const access = useAccess()
  const queries = useQueryClient()
  const navigate = useNavigate()
  const [name, setName] = useState('')
  const bodyOf = (document: ProtocolDocument) => ({
    type: 'Protocol',
    ...(name.trim() === '' ? {} : { alsoKnownAs: [name.trim()] }),
    ...document,
  })
  const save = async (document: ProtocolDocument) => {
    const { did } = await api.post('v1/entities', { schema: entityRecord, body: bodyOf(document) })
    await queries.invalidateQueries({ queryKey: ['v1/protocols'] })
    await navigate({ to: '/twins/protocols/$did', params: { did } })
  }
  return (
    <Page title={t('protocols.new')} description={t('protocols.newDescription')}>
      <ProtocolEditor
        initial={nothing}
        canSave={access.may('entities/write')}
        above={
          <TextInput
            label={t('protocols.name')}
            description={t('protocols.nameHint')}
            maxLength={100}
            value={name}
            onChange={event => setName(event.currentTarget.value)}
          />
        }
        saveLabel={t('protocols.create')}
        commandsFor={document => [curl('POST', api.url('v1/entities'), bodyOf(document))]}
        onSave={save}
      />
    </Page>
  )
}
