import { countsRecord, type FlowRecord } from '@sibyl/plugin-ussd/records'
import { useQuery } from '@tanstack/react-query'
import { useMemo, useState } from 'react'
import { useTranslation } from 'react-i18next'
import { Section } from '../../components/section.tsx'
import { useApi } from '../../session/console-context.tsx'
import { recognizeScreen } from '../parts/screen-title.ts'
import { FlowGraph } from './flow-graph.tsx'
import { HideUnshown } from './hide-unshown.tsx'
import { shownFlow } from './shown-flow.ts'

/** The graph of the menus, in which the screens of a simulated call and the ways between them are lit. */
export const CallPath = ({ flow, texts }: { readonly flow: FlowRecord; readonly texts: readonly string[] }) => {
  const { t, i18n } = useTranslation('phone')
  const api = useApi()
  const [isShort, setShort] = useState(false)
  const [selected, setSelected] = useState<string>()
  const counts = useQuery({
    queryKey: ['ussd flow counts'],
    queryFn: ({ signal }) => api.get('/api/ussd/flow/counts', { schema: countsRecord, signal }),
  })
  const byScreen = useMemo(
    () => new Map((counts.data?.screens ?? []).map(({ screen, ...rest }) => [screen, rest])),
    [counts.data],
  )
  const { path, language } = useMemo(() => {
    const found = texts.flatMap(text => recognizeScreen(flow, text) ?? [])
    return { path: found.map(({ id }) => id), language: found.at(-1)?.language }
  }, [flow, texts])
  const shown = useMemo(() => (isShort ? shownFlow(flow, byScreen, path) : flow), [isShort, flow, byScreen, path])
  return (
    <Section
      title={t('path.title')}
      description={t('path.description')}
      actions={<HideUnshown isOn={isShort} onChange={setShort} />}
    >
      <FlowGraph
        // Another graph or path is drawn anew, so that the path is in view.
        key={`${isShort} ${path.length}`}
        flow={shown}
        counts={byScreen}
        metric="stops"
        language={language ?? i18n.language}
        selected={selected}
        path={path}
        onSelect={setSelected}
      />
    </Section>
  )
}
