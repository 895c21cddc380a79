import Testing

@testable import CurlTransfers
@testable import RunLoopNetworking

@Suite("What becomes of a refusal")
struct ChallengePolicyTests {
    private static let negotiate = AuthenticationOffer(scheme: .negotiate, realm: nil)
    private static let digest = AuthenticationOffer(scheme: .digest, realm: "r")
    private static let basic = AuthenticationOffer(scheme: .basic, realm: "r")

    private var policy = ChallengePolicy()

    private mutating func refuse(
        _ offers: [AuthenticationOffer] = [Self.basic],
        carriedOwn: Bool = false
    ) -> ChallengePolicy.Step {
        policy.refused(offering: offers, carriedOwn: carriedOwn)
    }

    private mutating func answer(
        _ answer: ChallengePolicy.Answer,
        proposing proposed: [AuthenticationOffer] = []
    ) -> ChallengePolicy.Step {
        policy.answered(answer) { proposed.contains($0) }
    }

    @Test("Failures are counted until the server lets the load in")
    mutating func count() {
        for failures in 0..<3 {
            #expect(refuse() == .ask(Self.basic))
            #expect(policy.failureCount == failures)
            #expect(answer(.use) == .send(Self.basic))
        }
        policy.accepted()
        #expect(refuse() == .ask(Self.basic))
        #expect(policy.failureCount == 0)
    }

    @Test("Failures are counted over schemes")
    mutating func countOverSchemes() {
        #expect(refuse([Self.digest, Self.basic]) == .ask(Self.digest))
        #expect(answer(.use) == .send(Self.digest))
        #expect(refuse([Self.digest, Self.basic]) == .ask(Self.digest))
        #expect(answer(.reject) == .ask(Self.basic))
        #expect(policy.failureCount == 1)
        #expect(answer(.use) == .send(Self.basic))
        #expect(refuse([Self.digest, Self.basic]) == .ask(Self.basic))
        #expect(policy.failureCount == 2)
    }

    @Test("An authorization of the caller's own counts as a failed attempt")
    mutating func own() {
        #expect(refuse(carriedOwn: true) == .ask(Self.basic))
        #expect(policy.failureCount == 1)
    }

    @Test("Who answers without end is not asked without end")
    mutating func limit() {
        for _ in 0..<ChallengePolicy.maximumFailureCount {
            #expect(refuse() == .ask(Self.basic))
            #expect(answer(.use) == .send(Self.basic))
        }
        #expect(refuse() == .deliver)
    }

    @Test("After a rejection the next offer is asked about, and after the last none")
    mutating func reject() {
        #expect(refuse([Self.negotiate, Self.digest, Self.basic]) == .ask(Self.negotiate))
        #expect(answer(.reject) == .ask(Self.digest))
        #expect(answer(.reject) == .ask(Self.basic))
        #expect(answer(.reject) == .deliver)
    }

    @Test("Nothing offered, going on without, and cancelling")
    mutating func ends() {
        #expect(refuse([]) == .deliver)
        #expect(refuse() == .ask(Self.basic))
        #expect(answer(.continueWithout) == .deliver)
        #expect(refuse() == .ask(Self.basic))
        #expect(answer(.cancel) == .cancel)
    }

    @Test("The default handling uses what is proposed once, and goes on without")
    mutating func proposed() {
        #expect(refuse() == .ask(Self.basic))
        let all = [Self.digest, Self.basic]
        #expect(answer(.performDefaultHandling, proposing: all) == .sendProposed(Self.basic))
        #expect(refuse(all) == .ask(Self.digest))
        #expect(answer(.performDefaultHandling, proposing: all) == .sendProposed(Self.digest))
        // Digest has refused it: Basic would show the password itself.
        #expect(refuse(all) == .ask(Self.digest))
        #expect(answer(.performDefaultHandling, proposing: all) == .deliver)
    }

    @Test("The default handling finds a credential that fits a weaker offer")
    mutating func weaker() {
        #expect(refuse([Self.digest, Self.basic]) == .ask(Self.digest))
        #expect(
            answer(.performDefaultHandling, proposing: [Self.basic]) == .sendProposed(Self.basic)
        )
        #expect(refuse([Self.digest]) == .ask(Self.digest))
        #expect(answer(.performDefaultHandling) == .deliver)
    }

    @Test("Where Negotiate has failed the next scheme is asked about")
    mutating func withoutTickets() {
        let all = [Self.negotiate, Self.basic]
        #expect(refuse(all) == .ask(Self.negotiate))
        #expect(answer(.performDefaultHandling, proposing: all) == .sendProposed(Self.negotiate))
        #expect(refuse(all) == .ask(Self.basic))
        #expect(policy.failureCount == 1)
        #expect(answer(.performDefaultHandling, proposing: all) == .sendProposed(Self.basic))
    }

    @Test("A late answer to nothing is no answer")
    mutating func late() {
        #expect(answer(.use) == .deliver)
    }
}
