import { Autocomplete } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { entityHits } from '@sibyl/plugin-entities/records'
import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { useTranslation } from 'react-i18next'
import { useApi } from '../../session/console-context.tsx'
import { labelOf, nameOf } from '../parts/entity-label.ts'

/** Finds the entity that a graph starts from. */
export const StartPicker = ({ onPick }: { readonly onPick: (did: string) => void }) => {
  const { t } = useTranslation('twins')
  const api = useApi()
  const [text, setText] = useState('')
  const [words] = useDebouncedValue(text.trim(), 250)
  const { data } = useQuery({
    queryKey: ['v1/search', words, 'start'],
    queryFn: ({ signal }) => api.get('v1/search', { schema: entityHits, query: { q: words, limit: 20 }, signal }),
    enabled: words !== '',
  })
  const own = (data?.hits ?? []).flatMap(({ did, type, entity }) =>
    entity ? [{ value: did, label: `${labelOf(nameOf(entity), type, did)} (${type})` }] : [],
  )
  return (
    <Autocomplete
      label={t('graph.start')}
      placeholder={t('entities.searchHint')}
      size="xs"
      maw="28rem"
      value={text}
      onChange={setText}
      data={own}
      filter={({ options }) => options}
      onOptionSubmit={did => {
        onPick(did)
        setText('')
      }}
    />
  )
}
