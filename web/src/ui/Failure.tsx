/** What went wrong, if anything did. */
export function Failure({ words }: { words: string }) {
  if (!words) return null;
  return (
    <p class="notice bad" role="alert">
      {words}
    </p>
  );
}
