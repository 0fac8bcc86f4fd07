/** The mark of the product, the solid disc that takes over from the hollow one, and its name. */
export function Brand() {
  return (
    <>
      <svg className="brand-mark" width={24} height={24} viewBox="0 0 24 24" aria-hidden="true">
        <rect className="brand-ground" width={24} height={24} rx={6} />
        <circle className="brand-hollow" cx={9} cy={12} r={4.1} />
        <circle className="brand-ground" cx={15} cy={12} r={6.2} />
        <circle className="brand-solid" cx={15} cy={12} r={4.9} />
      </svg>
      <span className="brand-name">SEO Admin</span>
    </>
  );
}
