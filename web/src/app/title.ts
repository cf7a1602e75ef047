import { useEffect } from "preact/hooks";

/** Sets the page title; it follows the language. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
