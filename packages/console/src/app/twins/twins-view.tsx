import { Box } from '@mantine/core'
import { Outlet, useRouterState } from '@tanstack/react-router'
import { useTranslation } from 'react-i18next'
import { PersonNamesProvider } from '../components/person-names.tsx'
import { NotAllowedState, PluginOffState } from '../components/states.tsx'
import { ViewLinks } from '../components/view-links.tsx'
import { useAccess } from '../session/console-context.tsx'
import { NamesProvider } from './parts/names.tsx'

const parts = [
  { name: 'entities', plugin: 'entities', ability: 'entities/read' },
  { name: 'claims', plugin: 'claims', ability: 'claims/read' },
  { name: 'collections', plugin: 'claims', ability: 'claims/read' },
  { name: 'protocols', plugin: 'entities', ability: 'entities/read' },
  { name: 'webhooks', plugin: 'entities', ability: 'entities/read' },
] as const

/** The frame of all views of twins: their navigation, and the check of the rights. */
export const TwinsView = () => {
  const { t } = useTranslation('twins')
  const access = useAccess()
  const path = useRouterState({ select: state => state.location.pathname })
  const current = parts.find(({ name }) => path.startsWith(`/twins/${name}`)) ?? parts[0]
  return (
    <NamesProvider>
      <Box mb="md">
        <ViewLinks
          label={t('title')}
          views={parts.map(({ name }) => ({ to: `/twins/${name}`, label: t(`${name}.title`) }))}
        />
      </Box>
      {!access.mayHave(current.plugin) ? (
        <PluginOffState plugin={current.plugin} />
      ) : access.may(current.ability) ? (
        <PersonNamesProvider>
          <Outlet />
        </PersonNamesProvider>
      ) : (
        <NotAllowedState ability={current.ability} />
      )}
    </NamesProvider>
  )
}
