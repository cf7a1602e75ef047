import { useEffect } from "preact/hooks";

/** What stands in the tab. It follows the words: another language, another title. */
export function usePageTitle(title: string): void {
  useEffect(() => {
    document.title = title;
  }, [title]);
}
