import { collectionRecord } from '@sibyl/plugin-claims/records'
import type { JsonObject } from '@sibyl/protocol'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import type { Schema } from '../../components/form-fields.ts'
import { FormButton } from '../../components/schema-form.tsx'
import { useAccess, useApi } from '../../session/console-context.tsx'
import { ProtocolSelect } from '../entities/entity-forms.tsx'

/** Creates a collection of claims, which the user controls. */
export const NewCollection = ({ onCreated }: { readonly onCreated: () => void }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const { did } = useAccess()
  const [protocol, setProtocol] = useState<string | null>(null)
  const schema = useMemo((): Schema => {
    const text = (name: 'title' | 'credentialType' | 'guidance') => ({
      type: 'string',
      title: t(`collections.fields.${name}`),
      description: t(`collections.hints.${name}`),
    })
    const choice = (name: 'submitters' | 'evaluation' | 'evaluators', titles: Readonly<Record<string, string>>) => ({
      title: t(`collections.fields.${name}`),
      enum: Object.keys(titles),
      titles,
      default: Object.keys(titles)[0],
    })
    const date = (name: 'opensAt' | 'closesAt') => ({
      type: 'string',
      format: 'date',
      title: t(`collections.fields.${name}`),
    })
    const count = (name: 'all' | 'perAsset') => ({
      type: 'integer',
      minimum: 1,
      title: t(`collections.fields.${name}`),
    })
    return {
      type: 'object',
      required: ['title', 'submitters', 'evaluation', 'evaluators'],
      properties: {
        title: text('title'),
        submitters: choice('submitters', {
          controllers: t('collections.choices.controllers'),
          anyone: t('collections.choices.anyone'),
        }),
        evaluation: choice('evaluation', {
          rules: t('collections.evaluations.rules'),
          agent: t('collections.evaluations.agent'),
          person: t('collections.evaluations.person'),
        }),
        evaluators: choice('evaluators', { oracle: t('collections.choices.oracle'), me: t('collections.choices.me') }),
        guidance: text('guidance'),
        credentialType: text('credentialType'),
        opensAt: date('opensAt'),
        closesAt: date('closesAt'),
        quota: {
          type: 'object',
          title: t('collections.fields.quota'),
          properties: { all: count('all'), perAsset: count('perAsset') },
        },
      },
    }
  }, [t])
  const create = async ({ evaluators, opensAt, closesAt, ...values }: JsonObject) => {
    const body = {
      ...values,
      evaluators: evaluators === 'me' ? [did] : 'oracle',
      ...(protocol !== null && { protocol }),
      ...(typeof opensAt === 'string' && { opensAt: startOf(opensAt) }),
      ...(typeof closesAt === 'string' && { closesAt: startOf(closesAt) }),
    }
    await api.post('v1/collections', { body, schema: collectionRecord })
    onCreated()
  }
  return (
    <FormButton label={t('collections.new')} schema={schema} draft="collection" onSubmit={create}>
      <ProtocolSelect value={protocol} onChange={setProtocol} />
    </FormButton>
  )
}

/** Returns the start of a day in the time zone of the browser. */
const startOf = (day: string): string => new Date(`${day}T00:00`).toISOString()
