import { Notifications } from '@mantine/notifications'
import { RouterProvider } from '@tanstack/react-router'
import { createConsoleRouter } from './create-console-router.tsx'

/** Creates all views and their frame, and begins to load the one of the address. @param basepath Without a slash at its end. */
export const createViews = (basepath: string) => {
  const router = createConsoleRouter(basepath)
  void router.load()
  return () => (
    <>
      <RouterProvider router={router} />
      <Notifications position="bottom-right" />
    </>
  )
}
