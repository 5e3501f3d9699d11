"""What the pages are made from: assessment, rows in the language, bill, sums, details."""

from __future__ import annotations

from dataclasses import dataclass, field
from datetime import UTC, date, datetime, timedelta
from typing import TYPE_CHECKING

from kentino_desk.present.assessment import present
from kentino_desk.present.language import Text, text
from kentino_desk.present.numbers import Numbers, numbers
from kentino_desk.present.relaxation_words import help_sentences
from kentino_desk.present.verdict_rows import shown_result
from kentino_desk.quote.bill import bill_of, bill_totals
from kentino_desk.quote.vat_rates import VatRate, standard_rate

if TYPE_CHECKING:
    from kentino_desk.decision.results import Assessment, CandidateResult
    from kentino_desk.domain.snapshot import CatalogSnapshot
    from kentino_desk.present.views import AssessmentView, CandidateView
    from kentino_desk.quote.bill import Bill
    from kentino_desk.quote.totals import DocumentDiscount, QuoteTotals

VALID_DAYS = 14


def today() -> date:
    """The calendar day of this computer."""
    return datetime.now(UTC).astimezone().date()


@dataclass(frozen=True, slots=True, kw_only=True)
class ProposalDetails:
    """Who the proposal is from and for, its number and days; the fixed output for tests."""

    customer: str = ""
    project: str = ""
    seller: str = "Kentino"
    seller_country: str = "CZ"
    number: str = ""
    revision: int = 1
    issued_on: date = field(default_factory=today)
    valid_days: int = VALID_DAYS
    discount: DocumentDiscount | None = None
    pins: tuple[str, ...] = ()
    """Ids of the builds that are compared; the proposed one and its neighbours where empty."""
    invariant: bool = False

    @property
    def valid_until(self) -> date:
        """The last day on which the proposal holds."""
        return self.issued_on + timedelta(days=self.valid_days)


@dataclass(frozen=True, slots=True, kw_only=True)
class Context:
    """Everything the pages read; they compute nothing."""

    assessment: Assessment
    snapshot: CatalogSnapshot
    details: ProposalDetails
    language: str
    view: AssessmentView
    bill: Bill | None
    totals: QuoteTotals | None
    vat: VatRate
    helps: tuple[str, ...] = ()
    """Where nothing fits: what would help, one sentence each."""

    @property
    def words(self) -> Text:
        """The words of the document's language."""
        return text(self.language)

    @property
    def shown(self) -> Numbers:
        """The numbers of the document's language."""
        return numbers(self.language)

    @property
    def chosen(self) -> CandidateResult | None:
        """The proposed candidate; None when nothing fits."""
        return self.assessment.verdict.chosen

    @property
    def closest(self) -> CandidateResult | None:
        """The candidate the charts speak of: the chosen one, else the best that was tried."""
        return shown_result(self.assessment)

    def row_of(self, result: CandidateResult | None) -> CandidateView | None:
        """The words of a candidate."""
        if result is None:
            return None
        build = result.candidate.id
        return next((view for view in self.view.candidates if view.id == build), None)


def context_of(
    assessment: Assessment, snapshot: CatalogSnapshot, language: str, details: ProposalDetails
) -> Context:
    """The context of one proposal."""
    chosen = assessment.verdict.chosen
    vat = standard_rate(details.seller_country, details.issued_on)
    own = chosen is not None and not chosen.candidate.build.is_partner
    bill = bill_of(chosen.candidate.build, snapshot) if chosen and own else None
    return Context(
        assessment=assessment,
        snapshot=snapshot,
        details=details,
        language=language,
        view=present(assessment, language),
        bill=bill,
        totals=bill_totals(bill, vat.rate, details.discount) if bill else None,
        vat=vat,
        helps=help_sentences(assessment, language),
    )
